// Two trackers on the results of the project, compared off the GUI thread, and drawn over every view.
#pragma once

#include <QObject>

#include "core/session/session.h"
#include "ui/main_window/window_actions.h"
#include "ui/panels/trackers_panel.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class OverlayControl;

class TrackersControl final : public QObject {
  Q_OBJECT
 public:
  TrackersControl(const WindowActions& actions, TrackersPanel* panel, OverlayControl* overlays,
                  QObject* parent);

  void set_project(const Project& project);
  void set_tracks(const TracksRef& tracks);
  void set_frame_count(int64_t count);
  void show_frame(int64_t frame);
  void forget();
  void update_availability(bool open, const QString& why_closed);
  void load_truth(const QString& file);
  void compare();

 signals:
  void seek_requested(qint64 frame);

 private:
  struct Compared {
    std::array<ComparedTracker, 2> trackers;
    TrackerDifferences differences;
    double frame_rate = 0;
  };
  static Result<Compared> compare_both(const Project& project, const std::filesystem::path& truth_file,
                                       const std::array<ComparedMethod, 2>& methods);
  void show(const Compared& compared);
  void draw();
  void ask_for_truth();

  const WindowActions& actions_;
  TrackersPanel* panel_;
  OverlayControl* overlays_;
  std::shared_ptr<const Compared> compared_;
  int64_t frame_ = 0;
  Project project_;
  std::filesystem::path truth_;
  bool analysed_ = false;
  BackgroundJob job_;
};

}  // namespace vantage::ui
