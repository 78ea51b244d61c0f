#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The past of live cameras in the window, while they go on.
class PastTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void the_past_is_clicked_played_and_left_by_end();
  void one_goes_to_a_time_of_day_of_the_past();
  void record_is_red_counts_and_leaving_asks();
  void a_rule_is_tried_on_the_past();
  void a_full_disk_is_said_and_the_cameras_go_on();
};

}  // namespace vantage::ui
