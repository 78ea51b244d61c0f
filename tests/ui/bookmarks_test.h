#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Bookmarks: set, changed, removed, undone, gone through, seen on the time axis.
class BookmarksTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void are_set_changed_and_removed_with_undo();
  void are_of_whoever_is_chosen();
  void are_gone_through_by_key();
};

}  // namespace vantage::ui
