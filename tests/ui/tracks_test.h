#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The window on tracks that the session reports: people, repairs by hand, zones and lines, two trackers.
class TracksTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void people_are_chosen_and_followed();
  void identities_are_repaired_by_hand();
  void zones_and_lines_are_drawn_moved_and_counted();
  void two_trackers_are_compared();
};

}  // namespace vantage::ui
