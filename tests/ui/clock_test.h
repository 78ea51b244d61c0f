#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The recording's time of day: typed, shown, gone to; the ruler's ticks.
class ClockTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_time_of_day_is_typed_shown_and_undone();
  void one_goes_to_a_moment_that_is_typed();
  void what_the_axis_shows_can_be_typed();
  void what_cannot_be_meant_is_said();
  void the_clock_of_a_file_name_is_found();
  void frames_have_times();
  void ticks_are_of_the_clock();
};

}  // namespace vantage::ui
