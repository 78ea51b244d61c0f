#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

class NewProjectTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void files_are_sorted();
  void videos_and_cameras_are_matched_by_name();
  void what_does_not_match_is_chosen_by_hand();
  void a_plan_shows_how_cameras_stand();
  void another_picture_size_is_asked_about();
  void disagreeing_rates_are_shown_and_overridden();
  void broken_files_say_what_is_wrong();
  void clips_are_matched_by_name();
  void detections_are_matched_by_name_and_read();
  void detections_make_a_project_without_videos();
  void detections_ask_who_is_a_person();
  void the_unit_is_asked_about();
};

}  // namespace vantage::ui
