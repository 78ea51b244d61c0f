// Live cameras: what the window shows of them and what it cannot do with them.
#include <QDateTime>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>

#include "core/base/log.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/playback_control.h"
#include "ui/panels/health_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

void MainWindow::show_live(const LiveStatus* live) {
  const bool was_live = cameras_->live();
  cameras_->set_live(live != nullptr);
  events_->set_live(live);
  if (live) {
    health_->show_health(live->health);
    cameras_->set_states(health_->states());
  } else if (was_live) {
    health_->clear();
    cameras_->set_states({});
  }
  timeline_->setVisible(!live || live->recording);
  actions_.record->setChecked(live && live->recording.has_value());
  if (was_live == (live != nullptr)) return;
  transport_->set_analyse_action(live ? actions_.analyse_all : actions_.analyse_range);
  actions_.analyse_all->setText(live ? tr("Write &Results") : tr("Analyse &All"));
  actions_.analyse_all->setProperty(
      "tip", live ? tr("Write the results of every set from now on, until Stop") : tr("Analyse every frame"));
  actions_.last->setText(live ? tr("Go to &Live") : tr("&Last Frame"));
  actions_.last->setProperty("tip", live ? tr("Show what the cameras see now") : tr("Go to the last frame"));
  if (live && !health_dock_->isVisible()) actions_.health->trigger();
}

// What belongs to recordings; with one under way, one can look back in it.
void MainWindow::update_live_availability() {
  const auto& a = actions_;
  set_available(a.record, status_.live != nullptr, tr("There are no live cameras."));
  if (!status_.live) return;
  const QString only_now = tr("Live cameras show only what they see now.");
  for (QAction* action : {a.backwards, a.forwards, a.mark_in, a.mark_out, a.clear_range, a.analyse_range,
                          a.analyse_while_playing})
    set_available(action, false, only_now);
  for (QAction* action : {a.step_back, a.step_forward, a.second_back, a.second_forward, a.first})
    set_available(action, recording(), only_now + QChar(' ') + tr("Record, and you can look back."));
  set_available(a.check, false, tr("Checks look at recordings; the health of live cameras is under F10."));
  set_available(a.find_offsets, false,
                tr("Offsets are found in recordings; live cameras go by their clocks."));
}

void MainWindow::connect_events() {
  events_ = new EventsControl(actions_, {events_panel_, cameras_, messages_, services_.session}, this);
  connect(services_.bridge, &SessionBridge::tracks_changed, events_, &EventsControl::set_tracks);
  connect(events_, &EventsControl::seek_requested, playback_, &PlaybackControl::go_to);
}

// Beside the project, under its name and the time.
void MainWindow::record(bool on) {
  actions_.record->setChecked(recording());
  if (!on) return services_.session->stop_recording();
  std::filesystem::path path = project_.path;
  if (path.empty()) {
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Record Into"), {}, tr("Vantage projects (*.vantage)"));
    if (file.isEmpty()) return;
    path = file.toStdString();
  }
  const QString time = QDateTime::currentDateTime().toString("yyyyMMdd-HHmmss");
  path.replace_filename(path.stem().string() + "-" + time.toStdString() + ".vantage");
  services_.session->start_recording(path);
}

void MainWindow::show_add_camera() {
  auto* dialog = new AddCameraDialog({services_.credentials, services_.local_cameras}, project_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &AddCameraDialog::added, this, &MainWindow::take_camera);
  dialog->open();
}

void MainWindow::take_camera(const AddedCamera& camera) {
  const QString name = QString::fromStdString(camera.name);
  activity_label_->setText(tr("Connecting to %1 …").arg(name));
  if (project_open_)
    return services_.session->edit("camera", [camera](Project& project) { add_camera(camera, project); });
  Project project;
  project.parameters = default_parameters();
  add_camera(camera, project);
  messages_->clear();
  opening_ = true;
  services_.session->open(project);
}

}  // namespace vantage::ui
