#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// What lies over the pictures and the scene, and the height map beside them.
class OverlaysTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void overlays_follow_their_keys();
  void pointing_tells_why_a_peak_was_rejected();
  void heads_tell_how_tall_people_are();
  void detections_are_marked_by_score_and_age();
  void detections_say_what_they_need();
  void skeletons_have_the_limbs_that_are_known();
  void people_without_pictures_are_no_empty_scene();
  void pointing_tells_which_detections_carry_a_person();
  void a_click_asks_why();
  void nothing_is_asked_about_where_nothing_can_be_told();
  void overlays_without_their_stage_offer_it();
  void a_box_is_made_edited_and_undone();
  void boxes_are_added_chosen_renamed_and_removed();
  void the_region_is_edited_by_numbers();
  void overlays_say_what_they_need();
  void the_height_map_is_shown_and_tuned();
  void only_the_newest_height_map_is_finished();
  void the_height_map_lies_beside_or_over_its_picture();
};

}  // namespace vantage::ui
