#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Where messages go: the dialog, what it keeps on this machine, and the state of targets while cameras are
// live.
class MessagesTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_program_is_added_tested_and_undone();
  void what_came_with_the_project_is_allowed_first();
  void keys_stay_out_of_the_project_and_follow_a_name();
  void the_dialog_says_what_is_missing();
  void a_test_that_fails_says_why();
  void health_shows_what_waits_and_the_dialog_discards_it();
};

}  // namespace vantage::ui
