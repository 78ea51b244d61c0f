#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// A span of the open project exported as a case, through the dialog.
class CaseTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_marked_range_is_exported_and_verifies();
  void the_marked_range_has_its_last_frame();
  void the_dialog_says_what_is_missing();
  void stop_leaves_nothing();
  void only_what_is_saved_is_exported();
};

}  // namespace vantage::ui
