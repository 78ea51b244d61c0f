#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// What happens between a press and its release.
class MouseTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void two_clicks_draw_a_line_in_every_view();
  void a_zone_ends_by_a_click_on_its_first_corner();
  void a_tool_that_ends_between_press_and_release_lets_go_data();
  void a_tool_that_ends_between_press_and_release_lets_go();
  void a_click_on_a_corner_changes_nothing();
  void other_buttons_end_no_drawing();
  void the_same_shape_is_deleted_once();
  void a_box_handle_lets_go_of_what_is_gone();
  void two_clicks_measure_in_the_scene();
  void a_box_is_dragged_in_a_picture();
  void a_click_on_another_box_chooses_it();
  void a_drag_in_a_picture_ends_with_what_is_gone_data();
  void a_drag_in_a_picture_ends_with_what_is_gone();
  void handles_show_by_the_pointer_and_leave_tools_alone();
  void keys_move_a_box_by_a_millimetre();
  void a_click_on_a_handle_leaves_the_region();
  void a_hidden_timeline_is_dragged_no_more();
};

}  // namespace vantage::ui
