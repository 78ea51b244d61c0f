#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Ground truth: drawn by clicks in pictures and scene, kept in the project, and what results are worth by it.
class TruthTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_click_sets_somebody_in_all_views();
  void between_frames_people_walk_and_leave();
  void positions_are_dragged_removed_and_undone();
  void results_are_measured_as_one_draws();
  void the_quality_page_has_intervals_parts_and_worst_moments();
  void frames_without_results_are_stated_and_can_be_left_out();
  void other_tools_end_it_and_it_ends_them();
  void is_imported_merged_and_exported();
  void what_cannot_be_done_says_why();
};

}  // namespace vantage::ui
