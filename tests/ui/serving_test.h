#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Results over HTTP from the window, asked for over real sockets.
class ServingTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void what_a_run_writes_is_served_and_then_what_is_on_disk();
  void closing_the_project_ends_it_and_opening_begins_it_again();
  void other_machines_need_a_token_and_are_never_let_in_unasked();
  void with_a_certificate_what_is_served_is_encrypted();
  void a_port_in_use_says_what_to_do();
  void a_client_and_the_window_mark_events();
  void the_dialog_says_what_is_missing();
};

}  // namespace vantage::ui
