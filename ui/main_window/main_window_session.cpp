// What the session reports, and what follows from it for the window.
#include <QFileInfo>
#include <QStackedWidget>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "core/base/log.h"
#include "core/base/process_owner.h"
#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/evidence_control.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/file_control.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/live_control.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/recent_projects.h"
#include "ui/main_window/result_words.h"
#include "ui/main_window/serve_control.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/trackers_control.h"
#include "ui/main_window/window_tool_bar.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/height_map_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/timings_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {
namespace {

constexpr int kThumbnailMs = 3000;  // after opening: something is to be seen

}  // namespace

void MainWindow::connect_session() {
  SessionBridge* bridge = services_.bridge;
  connect(bridge, &SessionBridge::opened, this, &MainWindow::on_opened);
  connect(bridge, &SessionBridge::frame_ready, this, &MainWindow::on_frame);
  connect(bridge, &SessionBridge::status_changed, this, &MainWindow::on_status);
  connect(bridge, &SessionBridge::results_changed, workspace_->timeline(),
          [this](const std::vector<FrameSummary>& frames) { workspace_->timeline()->set_frames(frames); });
  connect(bridge, &SessionBridge::error_raised, this, &MainWindow::on_error);
  connect(bridge, &SessionBridge::note_raised, this, &MainWindow::on_note);
  connect(workspace_, &Workspace::surface_failed, this, [this](const QString& message) {
    log_error(message.toStdString());
    post_failure(message);
  });
  connect(workspace_->cameras(), &CameraGrid::surface_ready, this,
          [this](const QString& description) { status_line_->set_surface(description); });
  connect(workspace_->cameras(), &CameraGrid::pointed, this, &MainWindow::show_place);
  connect(workspace_->cameras(), &CameraGrid::flow_pointed, status_line_, &StatusLine::set_flow);
  connect(overlays_, &OverlayControl::stage_missed, this, &MainWindow::offer_stage);
  connect(workspace_->scene(), &SceneView::pointed, this, &MainWindow::show_place);
  connect(workspace_->cameras(), &CameraGrid::enlarged_changed, this, &MainWindow::update_camera_actions);
}

void MainWindow::on_opened(const Project& project) {
  const bool another = !project_open_ || opening_ || project.path != project_.path ||
                       project.cameras.size() != project_.cameras.size();
  project_ = project;
  if (another) saved_parameters_ = project.path.empty() ? default_parameters() : project.parameters;
  opening_ = false;
  if (another) {
    shown_.reset();
    show_volume();
    workspace_->scene()->clear();
    overlays_->forget();
    evidence_->forget();
    people_->forget();
    floor_->forget();
    trackers_->forget();
    playback_->forget();
    project_open_ = true;
    pages_->setCurrentWidget(workspace_);
    messages_->raise();
    toolbar_->show();
    workspace_->cameras()->setFocus();
  }
  workspace_->cameras()->set_cameras(project.cameras);
  workspace_->scene()->set_project(project);
  overlays_->set_project(project);
  evidence_->set_project(project);
  panels().parameters->set_parameters(project.parameters);
  std::vector<std::string> cameras;
  for (const ProjectCamera& camera : project.cameras) cameras.push_back(camera.name);
  panels().timings->set_cameras(std::move(cameras));
  workspace_->height_map()->set_project(project);
  if (!project.path.empty()) add_recent_project(QString::fromStdString(project.path.string()));
  workspace_->timeline()->set_people_shown(project.calibrated());
  status_.open = true;
  exports_->set_project(project);
  files_->set_project(project);
  if (another) {
    recovery_->project_opened(QString::fromStdString(project.path.string()));
    QTimer::singleShot(kThumbnailMs, this, &MainWindow::keep_thumbnail);
  } else {
    recovery_->project_changed();
  }
  if (another) check_->forget(), sync_->forget();
  check_->set_project(project);
  sync_->set_project(project);
  events_->set_project(project, another);
  live_->set_project(project);
  people_->set_project(project);
  floor_->set_project(project);
  trackers_->set_project(project);
  serve_->set_project(project);
  update_camera_actions();
  show_scene_words();
  update_title();
  update_availability();
  if (play_when_opened_) {
    play_when_opened_ = false;
    services_.session->post(command::Play{});
  }
}

void MainWindow::on_frame(const ShownFrameRef& shown) {
  if (!project_open_) return;
  shown_ = shown;
  const FrameResultRef& result = shown->result;
  workspace_->cameras()->show_result(result);
  workspace_->scene()->show_result(result);
  workspace_->height_map()->show_result(result);
  overlays_->show_frame(shown);
  evidence_->show_frame(shown);
  events_->show_result(result);
  sync_->show_result(*result);
  people_->show_result(*result);
  floor_->show_result(*result);
  trackers_->show_frame(result->frame);
  playback_->show_frame(result->frame);
  show_scene_words();
  show_volume();
}

// Of what is on screen: a page that shows no project has none.
void MainWindow::show_volume() {
  const bool shown = project_open_ && shown_ && pages_->currentWidget() == workspace_;
  status_line_->set_volume(shown ? volume_words(*shown_->result) : QString());
}

void MainWindow::on_status(const SessionStatus& status) {
  const bool same =
      status.open == status_.open && status.playing == status_.playing &&
      status.analysing == status_.analysing && status.can_undo == status_.can_undo &&
      status.can_redo == status_.can_redo && status.unsaved == status_.unsaved &&
      status.held_by == status_.held_by && !status.live == !status_.live &&
      (!status.live || status.live->recording.has_value() == status_.live->recording.has_value());
  if (status.on_cpu && on_cpu_ && !*on_cpu_) go_on_without_device();
  on_cpu_ = status.on_cpu;
  status_ = status;
  if (project_open_ && !status.unsaved && !project_.path.empty()) saved_parameters_ = project_.parameters;
  status_.open = status.open || project_open_;
  live_->set_status(status);
  panels().timings->set_running(status.live || status.analysing);
  workspace_->height_map()->set_playing(status.playing);
  playback_->set_status(status_);
  people_->set_frame_count(status.live ? 0 : status.frame_count);
  people_->set_live(status.live != nullptr);
  trackers_->set_frame_count(status.frame_count);
  overlays_->set_frame_rate(status.frame_rate);
  sync_->set_frame_rate(status.frame_rate);
  show_activity();
  recovery_->offer_changes(status.recoverable_s);
  if (project_open_) files_->set_status(status);
  events_->set_held(status.held_by ? tr("Events are judged where the project was opened first: %1.")
                                         .arg(QString::fromStdString(owner_text(*status.held_by)))
                                   : QString());
  if (same) return;
  update_title();
  update_availability();
  show_scene_words();
}

// The views' surfaces read the memory of the device that failed.
void MainWindow::go_on_without_device() {
  messages_->withdraw(device_failure_);
  workspace_->renew_surfaces();
  status_line_->set_backend(tr("CPU: the GPU failed"));
}

void MainWindow::on_error(const Error& error) {
  const QString message = QString::fromStdString(error.message());
  log_error(error.message());
  // Opening closed the project before it, so after a failure there is none.
  const bool of_its_files =  // the project is there, so it is something in it that is not
      opening_ && error.kind == ErrorKind::not_found && QFileInfo::exists(opening_file_);
  if (opening_) forget_project();
  opening_ = play_when_opened_ = false;
  if (!project_open_ && of_its_files)
    messages_->post(
        {Severity::failed, message, tr("Find…"), [this, file = opening_file_] { files_->find_for(file); }});
  else if (!project_open_)
    messages_->post({Severity::failed, message, tr("Open…"), [this] { actions_.open->trigger(); }});
  else if (on_cpu_ && !*on_cpu_ &&
           (error.kind == ErrorKind::device_lost || error.kind == ErrorKind::out_of_memory))
    offer_cpu(message);
  else
    post_failure(message);
}

// Nothing but reading on.
void MainWindow::post_failure(const QString& message) {
  messages_->post({Severity::failed, message, {}, {}, tr("Log"), [this] { actions_.log->trigger(); }});
}

// Once, by what the device said last.
void MainWindow::offer_cpu(const QString& message) {
  messages_->withdraw(std::exchange(device_failure_, message));
  messages_->post({Severity::failed, message, tr("Continue on the CPU"),
                   [this] { services_.session->post(command::ContinueOnCpu{}); }});
}

void MainWindow::on_note(const QString& note) {
  log_info(note.toStdString());
  status_line_->add_note(note);
}

void MainWindow::show_place(const std::optional<Eigen::Vector3d>& point_in_world_m) {
  workspace_->cameras()->set_pointed(point_in_world_m);
  workspace_->scene()->set_pointed(point_in_world_m);
  QString words =
      point_in_world_m && project_.calibrated() ? place_words(project_, *point_in_world_m) : QString();
  const QString person = point_in_world_m ? overlays_->person_words(*point_in_world_m) : QString();
  if (!person.isEmpty()) words += QStringLiteral("; ") + person;
  const QString rejected = point_in_world_m ? overlays_->rejected_because(*point_in_world_m) : QString();
  if (!rejected.isEmpty()) words += QStringLiteral("; ") + tr("not a person: %1").arg(rejected);
  status_line_->set_place(words);
  evidence_->point_at(point_in_world_m);
}

void MainWindow::offer_stage(const QString& stage) {
  const struct {
    const char* stage;
    QString missed, offer;
  } stages[] = {{"flow", tr("Optical flow is switched off in this project."), tr("Switch On")},
                {"heads", tr("Head detection is switched off in this project."), tr("Detect Heads")},
                {"detections", tr("Detections are switched off in this project."), tr("Use Detections")},
                {"heightmap", tr("Height maps are switched off in this project."), tr("Switch On")}};
  for (const auto& one : stages)
    if (stage == QLatin1String(one.stage))
      messages_->post({Severity::note, one.missed, one.offer, [this, stage] {
                         services_.session->post(command::SetParameter{stage.toStdString(), "enabled", 1});
                       }});
}

void MainWindow::show_scene_words() {
  // Pictures of a frame whose people are known from the results need no word.
  const bool recorded = shown_ && !shown_->result->volume() && shown_->people();
  if (!shown_ || status_.analysing || recorded) return workspace_->scene()->set_hint({}, nullptr);
  const SceneWords words = scene_text(project_, *shown_);
  if (status_.live && words.state == SceneState::not_analysed)
    return workspace_->scene()->set_hint({}, nullptr);
  const bool offers_analysis = words.state == SceneState::not_analysed;
  workspace_->scene()->set_hint(
      words.text, offers_analysis
                      ? (playback_->range().empty() ? actions_.analyse_all : actions_.analyse_range)
                      : nullptr);
}

void MainWindow::show_activity() {
  status_line_->set_activity(check_->running()  ? check_->activity()
                             : sync_->running() ? tr("Finding offsets")
                                                : QString::fromStdString(status_.activity));
  status_line_->show_stop(busy());
}

void MainWindow::update_title() {
  if (!project_open_) return setWindowTitle(tr("Vantage"));
  const QString name =
      project_.path.empty() ? tr("untitled") : QString::fromStdString(project_.path.stem().string());
  setWindowTitle(tr("Vantage: %1").arg(name) + "[*]" + (status_.held_by ? tr(" (read-only)") : QString()));
  setWindowModified(status_.unsaved);
}

void MainWindow::update_camera_actions() {
  const int count = workspace_->cameras()->camera_count();
  for (size_t i = 0; i < actions_.cameras.size(); ++i) {
    QAction* action = actions_.cameras[i];
    const bool exists = static_cast<int>(i) < count;
    action->setVisible(exists);
    action->setEnabled(exists);
    if (exists) action->setText(QString::fromStdString(project_.cameras[i].name).replace("&", "&&"));
  }
  set_available(actions_.all_cameras, workspace_->cameras()->enlarged().has_value(),
                tr("All cameras are shown."));
}

void MainWindow::update_availability() {
  const bool open = project_open_;
  const auto& a = actions_;
  const QString closed = tr("Open a project first.");
  for (QAction* action :
       {a.save_as,        a.export_picture, a.close,       a.copy_picture,   a.copy_command, a.layout_both,
        a.layout_cameras, a.layout_scene,   a.play,        a.backwards,      a.pause,        a.forwards,
        a.step_back,      a.step_forward,   a.second_back, a.second_forward, a.first,        a.last,
        a.mark_in,        a.mark_out,       a.top,         a.reset_scene})
    set_available(action, open, closed);
  const auto needs = [&](QAction* action, bool available, const QString& reason) {
    set_available(action, open && available, open ? reason : closed);
  };
  needs(a.save, status_.unsaved || project_.path.empty(), tr("Nothing has changed since the last save."));
  std::error_code none;
  needs(a.export_results,
        open && !project_.path.empty() &&
            std::filesystem::exists(project_.results_folder() / "results.jsonl", none),
        tr("Analyse first."));
  needs(a.export_calibration, open && project_.calibrated(), tr("The cameras are not calibrated."));
  needs(a.layout_height_map, project_.calibrated(), tr("Height maps need a calibration."));
  needs(a.undo, status_.can_undo, tr("Nothing to undo."));
  needs(a.redo, status_.can_redo, tr("Nothing to redo."));
  needs(a.clear_range, !playback_->range().empty(), tr("No range is marked."));
  const QString runs = check_->running()  ? tr("A check is running.")
                       : sync_->running() ? tr("Offsets are being found.")
                                          : tr("An analysis is running.");
  needs(a.check, !busy(), runs);
  needs(a.find_offsets, project_.cameras.size() > 1 && !busy(),
        project_.cameras.size() > 1 ? runs : tr("There is only one camera: nothing to synchronise with."));
  for (QAction* action : {a.apply_offset, a.dismiss_offset})
    needs(action, sync_->proposes(), tr("No offset is proposed."));
  needs(a.analyse_range, !playback_->range().empty() && !busy(),
        busy() ? runs : tr("Mark a range with I and O first."));
  needs(a.analyse_all, !busy(), runs);
  needs(a.stop, busy() || people_->following() || floor_->drawing(), tr("No analysis is running."));
  live_->update_availability();
  events_->update_availability(open, closed);
  overlays_->update_availability(open, closed);
  evidence_->update_availability(open, closed);
  people_->update_availability(open, closed);
  floor_->update_availability(open, closed);
  trackers_->update_availability(open, closed);
  serve_->update_availability(closed);
}

}  // namespace vantage::ui
