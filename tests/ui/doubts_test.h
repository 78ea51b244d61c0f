#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Doubtful identities, gone through and answered.
class DoubtsTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void are_gone_through_and_answered_by_key();
  void people_who_passed_are_cut_in_one_step();
  void where_nobody_is_in_doubt_it_is_said();
};

}  // namespace vantage::ui
