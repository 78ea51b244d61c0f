#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

class SynchronisationTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void offsets_are_found_applied_and_set_by_hand();
  void marks_reckon_with_each_cameras_own_rate();
  void a_watched_camera_is_proposed_applied_and_dismissed();
  void an_instant_is_read_before_and_after();
  void corners_tell_offsets();
};

}  // namespace vantage::ui
