#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

class MainWindowTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void starts_with_the_start_page();
  void range_is_marked_and_analysed();
  void the_button_says_what_it_will_do();
  void results_are_replaced_only_when_that_was_agreed_to();
  void nothing_of_the_last_project_is_shown_while_another_opens();
  void stop_says_so_at_once_and_continue_goes_on();
  void the_second_click_on_stop_starts_nothing();
  void timeline_drag_seeks();
  void parameter_edits_reach_the_session();
  void undo_and_redo();
  void a_copied_picture_says_what_it_is_of();
  void a_failed_check_stops_the_analysis();
  void a_check_says_how_far_it_is_and_is_cancelled();
  void checks_are_counted_in_the_toolbar();
  void dropped_files_make_a_project();
  void unsaved_changes_are_kept_and_offered();
  void a_report_of_a_problem_is_written();
  void errors_wait_in_the_message_bar();
  void a_failed_gpu_offers_the_cpu();
  void the_offer_of_the_cpu_stays_in_front();
  void the_cpu_goes_on_with_the_analysis();
  void demonstration_plays();
  void the_start_page_offers_what_can_be_begun();
  void the_demonstration_is_made_with_progress();
  void advice_of_checks_is_done_by_buttons();
  void an_empty_scene_clip_is_added();
  void empty_states_say_what_is_missing();
  void empty_docks_say_what_they_will_show();
  void preferences_act_at_once_and_are_taken_back();
  void preferences_choose_among_gpus();
  void the_sound_of_alarms_is_chosen_and_tested();
  void a_new_project_has_no_litres();
  void docks_give_way_to_a_new_project();
  void a_new_project_keeps_clear_of_messages();
  void newest_frame_wins();
  void a_project_is_forgotten_before_another_is_told();
  void remembers_recent_projects();
};

}  // namespace vantage::ui
