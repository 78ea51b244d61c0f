// Reports of the session, and what follows from them for the window.
#include <QFileInfo>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

#include "core/base/log.h"
#include "ui/main_window/file_control.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/recent_projects.h"
#include "ui/main_window/result_text.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/workspace.h"
#include "ui/platform/session_bridge.h"

namespace vantage::ui {

void MainWindow::connect_session() {
  const SessionBridge* bridge = services_.bridge;
  connect(bridge, &SessionBridge::opened, &state_, &WindowState::set_project);
  connect(bridge, &SessionBridge::frame_ready, &state_, &WindowState::show);
  connect(bridge, &SessionBridge::tracks_changed, &state_, &WindowState::set_tracks);
  connect(bridge, &SessionBridge::status_changed, this, &MainWindow::on_status);
  connect(bridge, &SessionBridge::error_raised, this, &MainWindow::on_error);
  connect(bridge, &SessionBridge::note_raised, this, &MainWindow::on_note);
  connect(parts_.workspace, &Workspace::surface_failed, this, [this](const QString& message) {
    log_error(message.toStdString());
    post_failure(message);
  });
}

void MainWindow::on_changed(Changes what) {
  const bool opened = what.testFlag(Change::other_project) && state_.open();
  if (opened) show_workspace();
  for (Control* control : controls_) control->refresh(what);
  if (what & (Change::status | Change::mode)) show_activity();
  if (what & (Change::project | Change::frame)) show_volume();
  if (what & (Change::project | Change::mode)) update_title();
  if (what & (Change::project | Change::mode | Change::tracks | Change::range)) update_availability();
  if (!what.testFlag(Change::project)) return;
  if (!state_.open()) return show_start_page();
  const std::filesystem::path& file = state_.project().path;
  if (opened && !file.empty()) add_recent_project(QString::fromStdString(file.string()));
  if (std::exchange(play_when_opened_, false)) post(command::Play{});
}

void MainWindow::on_status(const SessionStatus& status) {
  if (status.on_cpu && on_cpu_ && !*on_cpu_) go_on_without_device();
  on_cpu_ = status.on_cpu;
  state_.set_status(status);
}

// Shows the volume of the frame on screen; a page that shows no project has none.
void MainWindow::show_volume() {
  const bool shown = state_.shown() && pages_->currentWidget() == parts_.workspace;
  parts_.status_line->set_volume(shown ? volume_text(*state_.shown()->result) : QString());
}

// The views' surfaces read the memory of the device that failed.
void MainWindow::go_on_without_device() {
  messages_->withdraw(device_failure_);
  parts_.workspace->renew_surfaces();
  parts_.status_line->set_backend(tr("CPU: the GPU failed"));
}

void MainWindow::on_error(const Error& error) {
  const QString message = QString::fromStdString(error.message());
  const QString file = state_.opening_file();
  log_error(error.message());
  // Opening closed the project before it, so after a failure there is none.
  const bool of_its_files =  // the project is there, so it is something in it that is not
      state_.opening() && error.kind == ErrorKind::not_found && QFileInfo::exists(file);
  if (state_.opening()) state_.close();
  play_when_opened_ = false;
  if (!state_.open() && of_its_files)
    messages_->post(
        {Severity::failed, message, tr("Find…"), [this, file] { part<FileControl>()->find_for(file); }});
  else if (!state_.open())
    messages_->post({Severity::failed, message, tr("Open…"), [this] { actions_.open->trigger(); }});
  else if (on_cpu_ && !*on_cpu_ &&
           (error.kind == ErrorKind::device_lost || error.kind == ErrorKind::out_of_memory))
    offer_cpu(message);
  else
    post_failure(message);
}

// Posts a failure about which one can only read more in the log.
void MainWindow::post_failure(const QString& message) {
  messages_->post({Severity::failed, message, {}, {}, tr("Log"), [this] { action("log")->trigger(); }});
}

// Once, by what the device said last.
void MainWindow::offer_cpu(const QString& message) {
  messages_->withdraw(std::exchange(device_failure_, message));
  messages_->post(
      {Severity::failed, message, tr("Continue on the CPU"), [this] { post(command::ContinueOnCpu{}); }});
}

void MainWindow::on_note(const QString& note) {
  log_info(note.toStdString());
  parts_.status_line->add_note(note);
}

void MainWindow::update_work() {
  std::optional<RunningWork> work;
  for (const Control* control : controls_)
    if (!work) work = control->running();
  state_.set_work(work);
}

void MainWindow::show_activity() {
  const auto& work = state_.work();
  parts_.status_line->set_activity(work ? work->activity : QString::fromStdString(state_.status().activity));
  parts_.status_line->show_stop(state_.busy());
}

void MainWindow::update_title() {
  if (!state_.open()) return setWindowTitle(tr("Vantage"));
  const std::filesystem::path& file = state_.project().path;
  const QString name = file.empty() ? tr("untitled") : QString::fromStdString(file.stem().string());
  setWindowTitle(tr("Vantage: %1").arg(name) + "[*]" +
                 (state_.status().held_by ? tr(" (read-only)") : QString()));
  setWindowModified(state_.status().unsaved);
}

void MainWindow::update_availability() {
  const SessionStatus& status = state_.status();
  const auto needs = [&](QAction* action, bool available, const QString& reason) {
    set_available(action, state_.open() && available, state_.open() ? reason : tr("Open a project first."));
  };
  for (QAction* action : {actions_.save_as, actions_.close}) needs(action, true, {});
  needs(actions_.save, status.unsaved || state_.project().path.empty(),
        tr("Nothing has changed since the last save."));
  const bool own_undo = std::ranges::any_of(controls_, &Control::can_undo);
  const bool own_redo = std::ranges::any_of(controls_, &Control::can_redo);
  needs(actions_.undo, status.can_undo || own_undo, tr("Nothing to undo."));
  needs(actions_.redo, status.can_redo || own_redo, tr("Nothing to redo."));
  const bool stoppable = std::any_of(controls_.begin(), controls_.end(),
                                     [](const Control* control) { return control->stoppable(); });
  needs(actions_.stop, state_.busy() || stoppable, tr("No analysis is running."));
  for (Control* control : controls_) control->update_availability();
}

}  // namespace vantage::ui
