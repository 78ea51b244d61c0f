// Live cameras: what the window shows of them, what it cannot do with them, adding one and recording.
#pragma once

#include <QObject>
#include <optional>

#include "core/session/session.h"
#include "ui/main_window/window_actions.h"
#include "ui/panels/add_camera_dialog.h"

namespace vantage::ui {

class CameraGrid;
class EventsControl;
class HealthPanel;
class Timeline;
class Transport;

class LiveControl final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    HealthPanel* health;
    CameraGrid* cameras;
    EventsControl* events;
    Timeline* timeline;
    Transport* transport;
    Session* session;
  };
  LiveControl(const WindowActions& actions, Parts parts, AddCameraDialog::Services cameras, QWidget* window);

  void set_project(const Project& project);
  void set_status(const SessionStatus& status);
  void forget();  // no project
  bool recording() const { return live_ && live_->recording; }
  void update_availability();  // after that of the other controls: takes away what live cameras cannot do

 signals:
  void dock_wanted();
  void connecting(const QString& camera);
  void opening_started();  // a new project of the camera that was added

 private:
  void show(const LiveStatus* live);
  void show_words(bool live);
  void show_summaries(const LiveStatus* live);
  void record(bool on);
  void ask_for_camera();
  void take_camera(const AddedCamera& camera);
  void ask_whether_view_is_right(int camera);

  WindowActions actions_;
  Parts parts_;
  AddCameraDialog::Services services_;
  QWidget* window_;  // that dialogs belong to
  std::optional<Project> project_;
  SetSummariesRef summaries_;               // that the timeline shows
  std::shared_ptr<const LiveStatus> live_;  // null: a recording
};

}  // namespace vantage::ui
