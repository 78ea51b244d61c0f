// What people ask of the window, passed on to the session.
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>

#include "ui/main_window/file_control.h"
#include "ui/main_window/first_steps_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/recent_projects.h"
#include "ui/main_window/shortcuts_dialog.h"
#include "ui/main_window/status_line.h"
#include "ui/widgets/start_page.h"

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
  on(a.close, [this] {
    if (may_leave_project()) close_project();
  });
  on(a.quit, [this] { QMainWindow::close(); });
  on(a.undo, [this] { post(command::Undo{}); });
  on(a.redo, [this] { post(command::Redo{}); });
  on(a.preferences, [this] {
    PreferencesDialog dialog(stored_preferences(), services_.gpus, this);
    connect(&dialog, &PreferencesDialog::changed, this, &MainWindow::apply_preferences);
    dialog.exec();
  });
  on(a.theme_system, [this] { choose_theme(Theme::system); });
  on(a.theme_light, [this] { choose_theme(Theme::light); });
  on(a.theme_dark, [this] { choose_theme(Theme::dark); });
  on(a.full_screen, [this](bool full) { full ? showFullScreen() : showNormal(); });
  on(a.stop, [this] { stop(); });
  on(a.first_steps, [this] { FirstStepsDialog(this).exec(); });
  on(a.shortcuts, [this] { ShortcutsDialog(actions_, this).exec(); });
  on(a.about, [this] { show_about(); });
  connect(start_page_, &StartPage::file_chosen, this, &MainWindow::open_project);
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
  parts_.status_line->set_activity(tr("Opening %1 …").arg(QFileInfo(file).completeBaseName()));
  state_.begin_opening(file);
  post(command::OpenFile{std::filesystem::path(file.toStdString())});
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
  const SessionStatus& status = state_.status();
  const std::filesystem::path& file = state_.project().path;
  if (file.empty() || status.held_by) return save_as();
  if (!status.changed_outside.empty()) {
    part<FileControl>()->repeat_change();
    return false;
  }
  post(command::Save{file});
  return true;
}

bool MainWindow::save_as() {
  const QString start = QString::fromStdString(state_.project().path.string());
  QString file =
      QFileDialog::getSaveFileName(this, tr("Save Project"), start, tr("Vantage projects (*.vantage)"));
  if (file.isEmpty()) return false;
  if (!file.endsWith(".vantage")) file += ".vantage";
  post(command::Save{std::filesystem::path(file.toStdString())});
  return true;
}

bool MainWindow::may_leave_project() {
  if (!state_.open() || !state_.status().unsaved) return true;
  QMessageBox question(QMessageBox::Question, tr("Vantage"), tr("The project has unsaved changes."),
                       QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  question.setDefaultButton(QMessageBox::Save);
  const int answer = question.exec();
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void MainWindow::close_project() {
  keep_thumbnail();
  post(command::Close{});
  messages_->clear();
  state_.close();
}

void MainWindow::stop() {
  for (Control* control : controls_) control->stop();
  state_.recording() ? post(command::StopRecording{}) : post(command::Stop{});
}

void MainWindow::show_about() {
  QMessageBox::about(
      this, tr("About Vantage"),
      tr("<h3>Vantage %1</h3><p>A workbench for footage of one scene seen by several cameras.</p>"
         "<p>Apache 2.0. Uses Qt, VTK, FFmpeg and others; see THIRD_PARTY_NOTICES.</p>")
          .arg(VANTAGE_VERSION));
}

}  // namespace vantage::ui
