#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The watchdog over the window's thread, and what it says while the window works.
class StallsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_watchdog_names_what_kept_the_thread();
  void waiting_is_not_the_windows_own_work();
  void loops_inside_an_event_are_no_stall();
  void the_window_does_not_stall_while_it_plays_seeks_and_analyses();
};

}  // namespace vantage::ui
