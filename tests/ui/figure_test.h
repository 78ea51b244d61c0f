#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Figures and films of the open project, through the dialog.
class FigureTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void menu_and_command_line_draw_the_same_pixels();
  void the_present_parameters_are_drawn();
  void a_variant_is_compared_as_by_command();
  void a_film_of_the_marked_range();
  void the_scene_is_seen_as_in_the_window();
  void a_film_turns_about_one_frame();
  void stop_leaves_nothing();
  void the_dialog_says_what_is_missing();
};

}  // namespace vantage::ui
