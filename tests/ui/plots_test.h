#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Plots of figures of the results that people choose, linked with the timeline.
class PlotsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_plot_is_added_by_keys_and_changed();
  void hovering_tells_values_and_a_click_goes_there();
  void dragging_marks_the_range();
  void zoom_agrees_unless_it_is_unlinked();
  void a_point_of_a_scatter_plot_goes_to_its_frame();
  void the_frames_of_a_bin_are_gone_through();
  void removing_is_a_step_of_the_one_history();
  void plots_are_there_after_a_restart();
  void exports_are_those_of_the_command_line();
  void results_that_grow_or_go_are_followed();
  void a_plot_without_values_says_why();
  void an_hour_is_drawn_once_and_loses_no_peak();
  void a_tick_alone_has_its_digits();
};

}  // namespace vantage::ui
