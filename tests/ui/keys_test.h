#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The window's actions: what they tell of themselves, and what their keys do.
class KeysTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void every_action_has_keys_tooltip_and_name();
  void menus_and_buttons_share_no_letter();
  void disabled_actions_say_why();
  void keys_do_what_they_say_data();
  void keys_do_what_they_say();
  void letters_act_only_in_views();
  void held_keys();
  void shuttle_gets_faster();
};

}  // namespace vantage::ui
