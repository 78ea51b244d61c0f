#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// Masks painted over the pictures of real footage: tools, undo, files, carried by optical flow, IoU of the
// foreground as one paints and tunes.
class MasksTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void a_brush_paints_a_file_and_undo_takes_it_back();
  void polygons_are_closed_filled_grown_and_erased();
  void masks_are_carried_by_the_flow_and_stay();
  void the_foreground_is_measured_as_one_paints_and_tunes();
  void every_painted_frame_is_measured_and_swept();
  void the_wheel_and_keys_change_the_size_and_leave_the_zoom();
  void wrong_clicks_and_keys_lose_nothing();
  void folders_come_in_and_go_out();
  void masks_of_two_painters_are_merged_and_undone();
  void under_another_name_the_masks_come_along();
  void what_cannot_be_painted_says_why();
};

}  // namespace vantage::ui
