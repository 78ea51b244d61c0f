#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Parameters tried in the window: variants, and measures that are of older parameters.
class TuningTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_variant_is_kept_compared_used_and_undone();
  void a_variant_is_made_of_old_results();
  void a_variant_is_never_replaced_unasked();
  void values_are_swept_and_one_is_used();
  void two_parameters_make_heat_maps_and_are_used_at_once();
  void the_moments_behind_a_value_are_gone_to();
  void listed_values_survive_a_restart();
  void random_points_have_a_seed();
  void a_sweep_is_stopped_and_says_what_is_wrong();
  void measures_of_older_parameters_are_marked();
  void measures_by_older_truth_are_marked();
  void a_project_that_passed_its_check_is_not_checked_again();
  void parameters_are_found_by_key_and_synonym();
  void timings_are_sorted_by_any_column();
};

}  // namespace vantage::ui
