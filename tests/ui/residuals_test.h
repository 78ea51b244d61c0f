#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// How good a calibration is, to be looked at: what corners and clicks miss by, and the error to expect of
// positions on the floor.
class ResidualsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void one_bad_picture_comes_first();
  void the_median_arrow_can_be_read();
  void residuals_of_a_board_are_looked_at();
  void pictures_are_left_out_solved_again_and_undone();
  void residuals_of_clicks_are_looked_at();
  void unseen_floor_is_grey();
  void the_expected_error_lies_on_the_floor();
  void the_expected_error_says_what_it_needs();
};

}  // namespace vantage::ui
