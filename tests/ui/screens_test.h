#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Views in windows of their own, and the wall that follows a person.
class ScreensTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_next_screen_is_a_free_one();
  void a_view_leaves_the_window_and_comes_back();
  void keys_act_in_a_view_that_has_left();
  void where_views_stand_survives_a_restart();
  void windows_of_views_go_with_the_project();
  void the_large_cell_is_largest_and_none_overlap();
  void a_person_behind_another_is_seen_less();
  void the_choice_of_the_best_view_is_calm();
  void the_wall_enlarges_the_best_view();
};

}  // namespace vantage::ui
