#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The window on live cameras: test cameras on the loopback interface.
class LiveTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void figures_become_states_and_sentences();
  void an_overloaded_machine_is_told_from_a_bad_network();
  void what_keeps_the_analysis_is_said_once();
  void the_badge_says_live_or_how_long_ago();
  void cameras_are_watched_paused_and_written();
  void a_camera_is_tested_and_added_without_its_password();
  void frames_of_local_cameras_become_pictures();
  void events_are_listed_marked_and_gone_through();
  void what_is_judged_is_on_screen();
  void rules_make_events_of_live_cameras();
  void who_stays_for_hours_alarms_once();
  void rules_are_tried_before_they_are_armed();
  void rules_are_sentences_with_fields();
  void events_are_counted_alike_everywhere();
  void the_chime_is_a_sound();
  void alarms_that_do_not_sound_say_so_once();
  void a_cut_camera_is_told_where_it_is_looked_for();
  void a_live_camera_out_of_step_is_proposed_applied_and_taken_back();
  void a_card_is_as_high_as_what_it_says();
  void a_turned_cameras_view_is_said_to_be_right();
};

}  // namespace vantage::ui
