#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// A board that is shown to live cameras, picked up in the window.
class LiveBoardsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_board_is_picked_up_solved_applied_and_taken_back();
  void wrong_clicks_do_no_harm();
};

}  // namespace vantage::ui
