// The window's own commands, passed on to the session.
#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>
#include <algorithm>

#include "ui/main_window/file_control.h"
#include "ui/main_window/first_steps_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/recent_projects.h"
#include "ui/main_window/shortcuts_dialog.h"
#include "ui/main_window/status_line.h"
#include "ui/widgets/time_text.h"

namespace vantage::ui {

void MainWindow::add_project_commands() {
  const MenuPosition file{Menu::file};
  actions_.new_project = add_action(
      {"new_project", "&New Project…", "Ctrl+N", "Make a project from videos and their calibration"}, file,
      [this] { show_new_project({}); });
  actions_.open =
      add_action({"open", "&Open…", "Ctrl+O", "Open a project file"}, file, [this] { ask_for_project(); });
  actions_.demonstration =
      add_action({"demonstration", "Open &Demonstration", "Ctrl+D", "Open the demonstration and play it"},
                 file, [this] { open_demonstration(services_.demonstration); });
  actions_.demonstration->setVisible(!services_.demonstration.isEmpty());
  actions_.save = add_action({"save", "&Save", "Ctrl+S", "Save the project"}, file, [this] { save(); });
  actions_.save_as = add_action({"save_as", "Save &As…", "Ctrl+Shift+S", "Save the project to another file"},
                                file, [this] { save_as(); });
  actions_.close = add_action({"close", "&Close Project", "Ctrl+W", "Close the project"},
                              {Menu::file, nullptr, true}, [this] {
                                if (may_leave_project()) close_project();
                              });
  add_action({"quit", "&Quit", "Ctrl+Q", "Quit Vantage"}, file, [this] {
    QMainWindow::close();
  })->setMenuRole(QAction::QuitRole);
  actions_.undo =
      add_action({"undo", "&Undo", "Ctrl+Z", "Undo the last change"}, {Menu::edit}, [this] { undo(); });
  actions_.redo = add_action({"redo", "&Redo", "Ctrl+Shift+Z Ctrl+Y", "Redo the last undone change"},
                             {Menu::edit}, [this] { redo(); });
  actions_.stop = add_action(
      {"stop", "&Stop", "Esc", "Stop the analysis (results so far are kept), following a person, or drawing"},
      {Menu::analysis, "record", true}, [this] { stop(); });
}

void MainWindow::add_window_commands() {
  add_action({"preferences", "Pre&ferences…", "Ctrl+,",
              "Theme, memory and other settings of the program, not of a project"},
             {Menu::edit, "people_menu", true}, [this] { choose_preferences(); })
      ->setMenuRole(QAction::PreferencesRole);
  const auto theme = [this](const ActionSpec& spec, Theme chosen) {
    return add_action(spec, {Menu::theme}, [this, chosen] { choose_theme(chosen); });
  };
  actions_.themes = {
      theme({"theme_system", "Follow S&ystem", "Ctrl+Alt+1", "Light or dark like the system", true},
            Theme::system),
      theme({"theme_light", "&Light", "Ctrl+Alt+2", "Light colours", true}, Theme::light),
      theme({"theme_dark", "&Dark", "Ctrl+Alt+3", "Dark colours", true}, Theme::dark)};
  auto* themes = new QActionGroup(this);  // one is chosen
  for (QAction* action : actions_.themes) themes->addAction(action);
  add_action({"full_screen", "&Full Screen", "F11", "Fill the screen", true}, {Menu::view},
             [this](bool full) { full ? showFullScreen() : showNormal(); });
  add_action({"first_steps", "&First Steps", "Ctrl+F1", "Five steps to get started"}, {Menu::help},
             [this] { FirstStepsDialog(this).exec(); });
  add_action({"shortcuts", "&Shortcuts", "F1", "List every shortcut"}, {Menu::help},
             [this] { ShortcutsDialog(menus_->in_order(), this).exec(); });
  add_action({"about", "&About Vantage", "Shift+F1", "Version and licence"}, {Menu::help, "report_problem"},
             [this] { show_about(); })
      ->setMenuRole(QAction::AboutRole);
}

void MainWindow::choose_preferences() {
  PreferencesDialog dialog(stored_preferences(), services_.gpus, this);
  connect(&dialog, &PreferencesDialog::changed, this, &MainWindow::apply_preferences);
  dialog.exec();
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
  QAction* analyse = action("analyse_while_playing");
  if (std::exchange(demonstration_open_, false) && analyse->isChecked() != analyses) analyse->trigger();
  start_opening(file);
}

void MainWindow::start_opening(const QString& file) {
  keep_thumbnail();
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
  if (QAction* analyse = action("analyse_while_playing"); !analyse->isChecked()) analyse->trigger();
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

// Leaving ends it.
bool MainWindow::may_end_recording() {
  const auto& live = state_.status().live;
  if (!state_.open() || !live || !live->recording || !live->recording->recording) return true;
  QMessageBox question(QMessageBox::Question, tr("Vantage"), tr("The cameras are being recorded."),
                       QMessageBox::Cancel, this);
  question.setInformativeText(tr("%1, %2 so far, in %3. Leaving ends the recording, which is kept.")
                                  .arg(short_time_text(live->recording->seconds),
                                       bytes_text(live->recording->bytes),
                                       QString::fromStdString(live->recorded_project.filename().string())));
  const auto* end = question.addButton(tr("&End the Recording"), QMessageBox::AcceptRole);
  question.setDefaultButton(QMessageBox::Cancel);
  question.exec();
  return question.clickedButton() == end;
}

bool MainWindow::may_leave_project() {
  if (!may_end_recording()) return false;
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

void MainWindow::undo() {
  const auto own = std::ranges::find_if(controls_, &Control::can_undo);
  own != controls_.end() ? (*own)->undo() : post(command::Undo{});
}

void MainWindow::redo() {
  const auto own = std::ranges::find_if(controls_, &Control::can_redo);
  own != controls_.end() ? (*own)->redo() : post(command::Redo{});
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
