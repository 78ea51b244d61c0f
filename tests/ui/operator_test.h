#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// An operator's day on rendered footage with a clock, from last night's project to the hand-over: by keyboard
// alone, through 140 events and more, and by mouse (which types nothing but texts).
class OperatorTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_day_by_keyboard();
  void a_day_by_mouse();
  void what_was_done_last_is_undone_first();
};

}  // namespace vantage::ui
