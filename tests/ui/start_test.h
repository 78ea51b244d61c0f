#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// How the window starts after a run that did not end well, and with settings that make no sense.
class StartTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void only_a_run_that_is_gone_ended_early();
  void a_run_that_was_asked_to_end_did_not_end_early();
  void a_normal_end_leaves_nothing();
  void half_a_marker_is_an_early_end();
  void after_an_early_end_the_first_layout_is_shown();
  void the_report_of_a_fault_is_offered();
  void a_careful_start_that_ends_early_keeps_the_look_set_aside();
  void settings_that_make_no_sense_lock_nobody_out();
};

}  // namespace vantage::ui
