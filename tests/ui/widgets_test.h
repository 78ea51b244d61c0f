#pragma once

#include <QObject>

namespace vantage::ui {

class WidgetsTest final : public QObject {
  Q_OBJECT
 private slots:
  void message_bar_shows_one_and_counts_the_others();
  void message_bar_puts_failures_first_and_repeats_nothing();
  void message_bar_button_acts_and_dismisses();
  void timeline_maps_frames_to_places_and_back();
  void timeline_drag_seeks();
  void timeline_strip_tells_states_apart();
  void times_read_well();
  void pictures_share_the_room();
  void zoom_keeps_the_place_under_the_mouse();
  void parameter_slider_has_its_scale();
  void parameter_is_marked_and_reset_singly();
  void parameters_panel_hides_expert_ones_and_searches();
  void log_panel_takes_lines_from_any_thread();
  void timings_are_summarised();
  void timings_stay_after_the_work();
  void only_frames_of_a_run_have_a_latency();
  void timings_are_looked_at_and_compared();
  void labels_give_way();
  void names_in_pictures_do_not_cover_each_other();
  void names_on_the_floor_lie_apart();
  void thirty_people_look_different();
  void the_accent_colour_is_not_for_switches();
  void hints_are_readable();
  void empty_boxes_are_seen();
  void icons_are_drawn();
  void a_new_job_waits_off_the_gui_thread();
  void plots_are_saved_as_values_and_pictures();
};

}  // namespace vantage::ui
