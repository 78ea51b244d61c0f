#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The kept results of two runs compared in the views, and the way from one difference to the next.
class CompareTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void next_difference_goes_to_frame_and_place();
  void ground_truth_says_which_is_better();
  void differences_are_listed_by_kind_and_gone_to_by_clicks();
  void the_divider_is_dragged_in_every_view();
  void blink_shows_one_run_after_the_other();
  void side_by_side_shows_every_camera_twice();
  void kept_masks_are_drawn_by_side();
  void what_is_missing_or_out_of_date_is_said();
  void what_is_compared_and_how_survives_a_restart();
  void without_two_results_nothing_is_offered();
  void results_are_kept_to_be_compared_with();
};

}  // namespace vantage::ui
