#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// One part of the time, seen by seek bar and lanes: zoomed, moved, followed; what stands on it.
class TimeAxisTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void zooming_keeps_the_playhead_in_its_place();
  void the_part_follows_the_playhead_unless_it_was_moved_away();
  void a_recording_that_grows_is_seen_as_before();
  void the_wheel_zooms_seek_bar_and_lanes_as_one();
  void the_bar_below_moves_the_part();
  void events_stand_on_it_by_their_standing();
  void people_who_are_there_stand_first_where_not_all_have_room();
  void keys_zoom_the_window();
  void exported_spans_are_shown();
  void the_picture_is_kept_from_frame_to_frame_and_never_stale();
  void lanes_are_kept_from_frame_to_frame_and_never_stale();
};

}  // namespace vantage::ui
