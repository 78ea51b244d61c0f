// What people ask of the window, passed on to the session.
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPainter>
#include <QSettings>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>

#include "core/base/log.h"
#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/file_control.h"
#include "ui/main_window/first_steps_dialog.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/held_keys.h"
#include "ui/main_window/live_control.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/recent_projects.h"
#include "ui/main_window/result_words.h"
#include "ui/main_window/serve_control.h"
#include "ui/main_window/shortcuts_dialog.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/trackers_control.h"
#include "ui/main_window/window_tool_bar.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/height_map_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/start_page.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
void MainWindow::connect_commands() {
  const auto& a = actions_;
  const auto on = [this](QAction* action, auto command) {
    connect(action, &QAction::triggered, this, command);
  };
  on(a.open, [this] { ask_for_project(); });
  on(a.demonstration, [this] { open_demonstration(services_.demonstration); });
  on(a.save, [this] { save(); });
  on(a.save_as, [this] { save_as(); });
  on(a.export_picture, [this] { export_picture(); });
  on(a.close, [this] {
    if (may_leave_project()) close_project();
  });
  on(a.quit, [this] { QMainWindow::close(); });
  on(a.undo, [this] { services_.session->post(command::Undo{}); });
  on(a.redo, [this] { services_.session->post(command::Redo{}); });
  on(a.copy_picture, [this] { QApplication::clipboard()->setPixmap(workspace_->picture()); });
  on(a.copy_command, [this] { copy_command(); });
  on(a.preferences, [this] {
    PreferencesDialog dialog(stored_preferences(), services_.gpus, this);
    connect(&dialog, &PreferencesDialog::changed, this, &MainWindow::apply_preferences);
    dialog.exec();
  });
  on(a.all_cameras, [this] { workspace_->cameras()->enlarge(std::nullopt); });
  for (size_t i = 0; i < a.cameras.size(); ++i)
    on(a.cameras[i], [this, i] { workspace_->cameras()->enlarge(static_cast<int>(i)); });
  on(a.theme_system, [this] { choose_theme(Theme::system); });
  on(a.theme_light, [this] { choose_theme(Theme::light); });
  on(a.theme_dark, [this] { choose_theme(Theme::dark); });
  on(a.full_screen, [this](bool full) { full ? showFullScreen() : showNormal(); });
  on(a.analyse_range, [this] { analyse(playback_->frames_of_range()); });
  on(a.analyse_all, [this] { analyse({0, status_.frame_count}); });
  on(a.analyse_while_playing,
     [this](bool analyse) { services_.session->post(command::SetAnalyseWhilePlaying{analyse}); });
  on(a.stop, [this] {
    check_->stop();
    sync_->stop();
    people_->stop_following();
    floor_->cancel();
    live_->recording() ? services_.session->post(command::StopRecording{})
                       : services_.session->post(command::Stop{});
  });
  on(a.top, [this](bool top) { workspace_->scene()->set_top(top); });
  on(a.reset_scene, [this] { workspace_->scene()->reset(); });
  on(a.first_steps, [this] { FirstStepsDialog(this).exec(); });
  on(a.shortcuts, [this] { ShortcutsDialog(actions_, this).exec(); });
  on(a.about, [this] { show_about(); });
  connect(start_page_, &StartPage::file_chosen, this, &MainWindow::open_project);
  const auto connect_editing = [this](auto* panel) {
    using Panel = std::remove_pointer_t<decltype(panel)>;
    connect(panel, &Panel::edited, this,
            [this](const std::string& stage, const std::string& name, double value) {
              services_.session->post(command::SetParameter{stage, name, value});
            });
    connect(panel, &Panel::reset_requested, this, [this](const std::string& stage, const std::string& name) {
      services_.session->post(command::SetParameter{stage, name, std::nullopt});
    });
  };
  connect_editing(panels().parameters);
  connect_editing(workspace_->height_map());
  connect(workspace_->held(), &HeldKeys::bare_changed, workspace_->cameras(), &CameraGrid::set_bare);
}

void MainWindow::ask_for_project() {
  const QStringList recent = recent_projects();
  const QString folder = recent.isEmpty() ? QString() : QFileInfo(recent.front()).absolutePath();
  const QString file =
      QFileDialog::getOpenFileName(this, tr("Open Project"), folder, tr("Vantage projects (*.vantage)"));
  if (!file.isEmpty()) open_project(file);
}

void MainWindow::open_project(const QString& file) {
  if (!may_leave_project()) return;
  const bool analyses = QSettings().value("analyse_while_playing", false).toBool();
  if (std::exchange(demonstration_open_, false) && actions_.analyse_while_playing->isChecked() != analyses)
    actions_.analyse_while_playing->trigger();
  start_opening(file);
}

void MainWindow::start_opening(const QString& file) {
  messages_->clear();
  files_->forget();
  status_line_->set_activity(tr("Opening %1 …").arg(QFileInfo(file).completeBaseName()));
  opening_ = true;
  opening_file_ = file;
  services_.session->post(command::OpenFile{std::filesystem::path(file.toStdString())});
}

void MainWindow::open_demonstration(const QString& file) {
  if (!may_leave_project()) return;
  save_window();
  demonstration_open_ = true;
  play_when_opened_ = true;
  if (!actions_.analyse_while_playing->isChecked()) actions_.analyse_while_playing->trigger();
  start_opening(file);
  messages_->post(
      {Severity::note,
       tr("Space pauses. Point at the floor to see that position in every camera. F6 opens the parameters."),
       {},
       {}});
}

bool MainWindow::save() {
  if (project_.path.empty() || status_.held_by) return save_as();
  if (!status_.changed_outside.empty()) {
    files_->repeat_change();
    return false;
  }
  services_.session->post(command::Save{project_.path});
  return true;
}

bool MainWindow::save_as() {
  const QString start = QString::fromStdString(project_.path.string());
  QString file =
      QFileDialog::getSaveFileName(this, tr("Save Project"), start, tr("Vantage projects (*.vantage)"));
  if (file.isEmpty()) return false;
  if (!file.endsWith(".vantage")) file += ".vantage";
  services_.session->post(command::Save{std::filesystem::path(file.toStdString())});
  return true;
}

bool MainWindow::may_leave_project() {
  if (!project_open_ || !status_.unsaved) return true;
  QMessageBox question(QMessageBox::Question, tr("Vantage"), tr("The project has unsaved changes."),
                       QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  question.setDefaultButton(QMessageBox::Save);
  const int answer = question.exec();
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void MainWindow::close_project() {
  keep_thumbnail();
  services_.session->post(command::Close{});
  messages_->clear();
  forget_project();
}

void MainWindow::forget_project() {
  check_->forget();
  sync_->forget();
  recovery_->project_closed();
  files_->forget();
  project_open_ = false;
  project_ = {};
  status_ = {};
  live_->forget();
  shown_.reset();
  workspace_->cameras()->show_result(nullptr);
  workspace_->cameras()->set_cameras({});
  workspace_->scene()->clear();
  events_->forget();
  overlays_->forget();
  people_->forget();
  floor_->forget();
  trackers_->forget();
  serve_->forget();
  panels().parameters->clear();
  workspace_->height_map()->clear();
  workspace_->timeline()->set_frames({});
  playback_->set_status(status_);
  playback_->forget();
  show_volume();
  status_line_->set_activity({});
  show_start_page();
}

void MainWindow::show_start_page() {
  QList<StartPage::Recent> recent;
  for (const QString& file : recent_projects()) recent << StartPage::Recent{file, thumbnail_of(file)};
  start_page_->set_recent(recent);
  pages_->setCurrentWidget(start_page_);
  messages_->raise();
  toolbar_->hide();
  update_title();
  update_availability();
}

void MainWindow::export_picture() {
  const QString name = QStringLiteral("frame_%1.png").arg(playback_->frame(), 6, 10, QLatin1Char('0'));
  const QPixmap picture = workspace_->picture();
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Export Picture"), name, tr("PNG pictures (*.png)"));
  if (file.isEmpty() || picture.save(file, "PNG")) return;
  on_error({ErrorKind::io, "the picture could not be written", file.toStdString(), "Choose another folder."});
}

void MainWindow::copy_command() {
  const FrameRange frames = playback_->frames_of_range();
  const QString range =
      playback_->range().empty() ? QString() : QStringLiteral("%1:%2").arg(frames.begin).arg(frames.end);
  QApplication::clipboard()->setText(command_words(project_, saved_parameters_, range));
}

void MainWindow::show_about() {
  QMessageBox::about(
      this, tr("About Vantage"),
      tr("<h3>Vantage %1</h3><p>A workbench for footage of one scene seen by several cameras.</p>"
         "<p>Apache 2.0. Uses Qt, VTK, FFmpeg and others; see THIRD_PARTY_NOTICES.</p>")
          .arg(VANTAGE_VERSION));
}

}  // namespace vantage::ui
