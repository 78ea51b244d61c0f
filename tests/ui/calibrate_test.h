#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Calibration in the window: points clicked, cameras solved, the world levelled and scaled.
class CalibrateTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void clicks_in_several_cameras_place_a_point();
  void a_click_is_moved_and_wrong_clicks_change_nothing();
  void a_camera_is_solved_proposed_applied_and_undone();
  void the_world_is_scaled_and_levelled();
  void measured_coordinates_are_typed();
  void people_place_a_camera_off_the_gui_thread();
  void a_wrong_pose_is_cured_where_it_is_named();
  void people_name_a_wrong_lens();
  void people_are_compared_before_a_proposal_is_applied();
  void a_board_solves_all_cameras();
  void offsets_of_a_board_are_taken_over_where_that_is_ticked();
  void a_bumped_camera_gets_a_calibration_from_its_jump_on();
  void a_camera_is_nudged_seen_and_applied();
  void a_grid_of_tags_is_described_kept_and_printed();
  void a_ruler_measures_in_pictures_and_ends();
  void a_measure_is_as_sure_as_its_cameras();
};

}  // namespace vantage::ui
