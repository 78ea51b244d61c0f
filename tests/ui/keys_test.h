#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The window's actions: what they tell of themselves, and what their keys do.
class KeysTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void every_action_has_tooltip_and_name_and_no_key_is_given_twice();
  void entries_of_a_menu_share_no_letter();
  void disabled_actions_say_why();
  void keys_do_what_they_say_data();
  void keys_do_what_they_say();
  void keys_act_wherever_the_focus_is();
  void typed_text_and_lists_keep_their_keys();
  void space_presses_what_keys_have_reached();
  void held_keys();
  void shuttle_gets_faster();
  void commands_are_found_by_their_words();
  void keys_can_be_changed();
  void shortcuts_are_listed_by_menus();
  void the_guide_is_read_and_searched();
};

}  // namespace vantage::ui
