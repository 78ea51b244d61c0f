// Live cameras: what the window shows of them, adding one and recording.
#pragma once

#include "ui/main_window/control.h"
#include "ui/panels/add_camera_dialog.h"

namespace vantage::ui {

class HealthPanel;

class LiveControl final : public Control {
  Q_OBJECT
 public:
  explicit LiveControl(const WindowParts& parts);

  void refresh(Changes what) override;
  void update_availability() override;

 signals:
  void opening_started();  // a new project of the camera that was added

 private:
  void show(const LiveStatus* live);
  void show_summaries(const LiveStatus* live);
  void note_recording(const LiveStatus* live);
  void note_past(const LiveStatus* live);
  void note_machine(const LiveStatus* live);
  void record(bool on);
  void ask_for_camera();
  void take_camera(const AddedCamera& camera);
  void ask_whether_view_is_right(int camera);

  QAction* record_;
  HealthPanel* panel_;
  SetSummariesRef summaries_;       // shown by the timeline
  std::filesystem::path recorded_;  // the project that is being recorded
  std::string past_problem_;        // as it was told
  QStringList machine_told_;        // what was said of this machine, by its word
};

}  // namespace vantage::ui
