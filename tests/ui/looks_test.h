#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Layouts by task, and what resources/docs/looks.md states of every part of the window.
class LooksTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_layout_has_few_docks_with_whole_names_data();
  void a_layout_has_few_docks_with_whole_names();
  void each_layout_stays_as_people_arranged_it();
  void a_layout_is_reset();
  void no_dock_is_beside_the_start_page();
  void spacing_and_text_are_of_the_table();
  void icons_are_of_one_family();
  void the_accent_is_for_one_thing();
  void nothing_moves_while_something_is_done();
  void pictures_of_all_layouts();
};

}  // namespace vantage::ui
