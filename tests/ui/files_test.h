#pragma once

#include "tests/ui/support/window_test.h"

namespace vantage::ui {

// The open project's file: somebody else has it, somebody has written it, videos are not there.
class FilesTest final : public WindowTest {
  Q_OBJECT
 private slots:
  void what_somebody_else_has_is_read_only();
  void a_change_from_outside_is_reloaded_or_overwritten();
  void missing_videos_are_found_in_a_folder();
  void results_of_a_missing_video_stay_and_analysing_is_refused();
  void a_project_that_cannot_be_opened_is_mended();
};

}  // namespace vantage::ui
