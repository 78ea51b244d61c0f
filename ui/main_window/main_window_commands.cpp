// The window's own commands, passed on to the session.

#include <QActionGroup>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

#include "core/base/log.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/file_control.h"
#include "ui/main_window/help_dialogs.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/result_text.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/window_docks.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/new_project_page.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/start_page.h"
#include "ui/widgets/time_axis.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

void MainWindow::add_project_commands() {
  const MenuPosition file{Menu::file};
  actions_.new_project = add_action(
      {"new_project", "&New Project…", "Ctrl+N", "Make a project from videos and their calibration"}, file,
      [this] { show_new_project({}); });
  actions_.open =
      add_action({"open", "&Open…", "Ctrl+O", "Open a project file"}, file, [this] { ask_for_project(); });
  actions_.demonstration =
      add_action({"demonstration", "Open &Demonstration", "Ctrl+D",
                  "Open the demonstration and play it; the first time it is rendered here, in some minutes"},
                 file, [this] {
                   services_.demonstration.isEmpty() ? part<FileControl>()->make_demonstration()
                                                     : open_demonstration(services_.demonstration);
                 });
  actions_.demonstration->setVisible(!services_.demonstration.isEmpty() || services_.make_demonstration);
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
  actions_.undo = add_action({"undo", "&Undo", "Ctrl+Z", "Undo the last change", false, "Undo"}, {Menu::edit},
                             [this] { post(command::Undo{}); });
  actions_.redo =
      add_action({"redo", "&Redo", "Ctrl+Shift+Z Ctrl+Y", "Redo the last undone change", false, "Redo"},
                 {Menu::edit}, [this] { post(command::Redo{}); });
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
  add_action({"guide", "&Guide", "Ctrl+H", "Read the guide, and search it"}, {Menu::help}, [this] {
    auto* guide = findChild<GuideWindow*>();
    if (!guide) guide = new GuideWindow(this);
    guide->show();
    guide->activateWindow();
  });
  add_action({"first_steps", "&First Steps", "Ctrl+F1", "Five steps to get started"}, {Menu::help},
             [this] { FirstStepsDialog(this).exec(); });
  add_action({"find_command", "Find &Command…", "Ctrl+Shift+P", "Find any command by its words and give it"},
             {Menu::help}, [this] { find_command(); });
  add_action({"shortcuts", "&Shortcuts…", "F1", "List every shortcut, and change it"}, {Menu::help},
             [this] { ShortcutsDialog(menus_->in_order(), this).exec(); });
  add_action({"about", "&About Vantage", "Shift+F1", "Version and licence"}, {Menu::help, "report_problem"},
             [this] { show_about(); })
      ->setMenuRole(QAction::AboutRole);
}

// One task, or none: the second time its command puts its docks away.
void MainWindow::add_layouts() {
  const ActionSpec specs[kTasks] = {
      {kTaskActions[0], "Re&view", "Ctrl+6",
       "Show the docks for results: events, people, and questions to them", true},
      {kTaskActions[1], "&Tune", "Ctrl+7", "Show the docks for tuning: parameters, variants, and why", true},
      {kTaskActions[2], "Cali&brate", "Ctrl+8", "Show the docks for cameras: calibration, checks, offsets",
       true},
      {kTaskActions[3], "&Live", "Ctrl+9", "Show the docks for live cameras: health, events, zones and lines",
       true}};
  auto* group = new QActionGroup(this);
  group->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
  for (size_t i = 0; i < kTasks; ++i)
    actions_.layouts.push_back(group->addAction(add_action(specs[i], {Menu::layout}, [this, i](bool on) {
      docks_->choose(on ? std::optional(static_cast<Task>(i)) : std::nullopt);
    })));
  actions_.layouts.push_back(
      add_action({"reset_layout", "&Reset Layout", "Ctrl+Shift+0",
                  "Show the docks of this layout where they first were, and no others"},
                 {Menu::layout}, [this] { docks_->reset(); }));
  connect(docks_, &WindowDocks::task_chosen, this, [this](std::optional<Task> task) {
    for (size_t i = 0; i < kTasks; ++i) actions_.layouts[i]->setChecked(task == static_cast<Task>(i));
  });
}

void MainWindow::find_command() {
  CommandPalette palette(menus_->in_order(), this);
  palette.move(mapToGlobal(QPoint((width() - palette.width()) / 2, height() / 8)));
  if (palette.exec() == QDialog::Accepted && palette.chosen()) palette.chosen()->trigger();
}

void MainWindow::choose_preferences() {
  const Language before = stored_preferences().language;
  PreferencesDialog dialog(stored_preferences(), services_.gpus, this);
  connect(&dialog, &PreferencesDialog::changed, this, &MainWindow::apply_preferences);
  dialog.exec();
  if (stored_preferences().language != before) take_language();
}

// The window is made again, where that ends nothing that runs in it.
void MainWindow::take_language() {
  if (state_.busy() || state_.opening() || state_.live() || pages_->currentWidget() == new_page_)
    return messages_->post(
        {Severity::note, tr("The language changes at the next start: something is running or being "
                            "made in this window.")});
  emit language_chosen();
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
  messages_->post({Severity::note, tr("Space pauses. Point at the floor to see that position in every "
                                      "camera. F6 opens the parameters.")});
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

void MainWindow::stop() {
  for (Control* control : controls_) control->stop();
  if (state_.recording()) return post(command::StopRecording{});
  post(command::Stop{});
  state_.begin_stopping();
}

void MainWindow::show_about() {
  QMessageBox::about(
      this, tr("About Vantage"),
      tr("<h3>Vantage %1</h3><p>A workbench for footage of one scene seen by several cameras.</p>"
         "<p>The sources are under Apache 2.0; with the libraries that it loads (Qt, VTK, FFmpeg and others, "
         "see "
         "THIRD_PARTY_NOTICES) this program is passed on under the GPL, version 3.</p>")
          .arg(VANTAGE_VERSION));
}

// The window's pages: start page, new project, workspace; what was dropped on them.

namespace {

// "Box 1" of "box 1".
QString step_text(const std::string& what) {
  QString text = QString::fromStdString(what);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QStringList dropped_paths(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  return paths;
}

}  // namespace

void MainWindow::connect_pages() {
  setAcceptDrops(true);
  connect(start_page_, &StartPage::file_chosen, this, &MainWindow::open_project);
  connect(new_page_, &NewProjectPage::created, this, &MainWindow::open_project);
  connect(new_page_, &NewProjectPage::noted, this, [this](const QString& note) {
    log_info(note.toStdString());
    messages_->post({.severity = Severity::note, .text = note, .of_program = true});  // opening clears others
  });
  connect(new_page_, &NewProjectPage::failed, this, &MainWindow::on_error);
  connect(new_page_, &NewProjectPage::cancelled, this, &MainWindow::leave_new_project);
}

// The tool bar is about the views, and the docks about the open project: they come back with it.
void MainWindow::show_page(QWidget* page) {
  for (int i = 0; i < pages_->count(); ++i) {  // pages that are not shown do not widen the window
    const auto policy = pages_->widget(i) == page ? QSizePolicy::Preferred : QSizePolicy::Ignored;
    pages_->widget(i)->setSizePolicy(policy, policy);
  }
  pages_->setCurrentWidget(page);
  docks_->set_aside(page != parts_.workspace);
  messages_->raise();
  parts_.tool_bar->setVisible(page == parts_.workspace);
}

void MainWindow::show_start_page() {
  QList<StartPage::Recent> recent;
  for (const QString& file : recent_projects()) recent << StartPage::Recent{file, thumbnail_of(file)};
  start_page_->set_recent(recent);
  show_page(start_page_);
  update_title();
}

void MainWindow::show_workspace() {
  show_page(parts_.workspace);
  parts_.cameras->setFocus();
}

void MainWindow::show_new_project(const QStringList& files) {
  if (pages_->currentWidget() != new_page_) new_page_->reset();
  show_page(new_page_);
  new_page_->setFocus();
  if (!files.isEmpty()) new_page_->add_files(files);
}

void MainWindow::leave_new_project() {
  state_.open() ? show_workspace() : show_start_page();
}

bool MainWindow::shows_start_page() const {
  return pages_->currentWidget() == start_page_;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!dropped_paths(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList paths = dropped_paths(*event->mimeData());
  event->acceptProposedAction();
  open_files(paths);
}

// A project is opened; anything else makes a new one.
void MainWindow::open_files(const QStringList& paths) {
  for (const QString& path : paths)
    if (path.endsWith(".vantage")) return open_project(path);
  if (!paths.isEmpty()) show_new_project(paths);
}

void MainWindow::keep_thumbnail() {
  const std::filesystem::path& file = state_.project().path;
  if (file.empty() || !state_.shown() || !parts_.cameras->isVisible()) return;
  save_thumbnail(QString::fromStdString(file.string()), parts_.cameras->grab());
}

// Reports of the session, and what follows from them for the window.

void MainWindow::connect_session() {
  const SessionBridge* bridge = services_.bridge;
  connect(bridge, &SessionBridge::opened, &state_, &WindowState::set_project);
  connect(bridge, &SessionBridge::frame_ready, &state_, &WindowState::show);
  connect(bridge, &SessionBridge::tracks_changed, &state_, &WindowState::set_tracks);
  connect(bridge, &SessionBridge::status_changed, this, &MainWindow::on_status);
  connect(bridge, &SessionBridge::error_raised, this, &MainWindow::on_error);
  connect(bridge, &SessionBridge::note_raised, this, &MainWindow::on_note);
  connect(bridge, &SessionBridge::step_repeated, this, &MainWindow::on_step);
  connect(parts_.workspace, &Workspace::surface_failed, this, [this](const QString& message) {
    log_error(message.toStdString());
    post_failure(message);
  });
}

void MainWindow::on_changed(Changes what) {
  const bool opened = what.testFlag(Change::other_project) && state_.open();
  if (what & (Change::project | Change::status)) parts_.workspace->show_opening(opening_text());
  if (opened || (what.testFlag(Change::other_project) && state_.opening())) show_workspace();
  for (Control* control : controls_) control->refresh(what);
  if (what & (Change::status | Change::mode)) show_activity();
  if (what & (Change::project | Change::frame)) show_volume();
  if (what & (Change::project | Change::mode)) update_title();
  if (what & (Change::project | Change::mode | Change::tracks | Change::range)) update_availability();
  if (!what.testFlag(Change::project)) return;
  if (!state_.open()) return state_.opening() ? void() : show_start_page();
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

void MainWindow::on_step(const RepeatedStep& step) {
  constexpr int kShown_ms = 10'000;
  if (step.carry_out) step.carry_out();
  parts_.status_line->showMessage(
      (step.undone ? tr("Undone: %1") : tr("Redone: %1")).arg(step_text(step.what)), kShown_ms);
}

void MainWindow::update_work() {
  std::optional<RunningWork> work;
  for (const Control* control : controls_)
    if (!work) work = control->running();
  state_.set_work(work);
}

// Empty: nothing is being opened.
QString MainWindow::opening_text() const {
  if (!state_.opening()) return {};
  const QString name = QFileInfo(state_.opening_file()).completeBaseName();
  const QString text = name.isEmpty() ? tr("Connecting to the cameras…") : tr("Opening %1…").arg(name);
  const QString step = QString::fromStdString(state_.status().activity);
  return step.isEmpty() ? text : text + '\n' + step;
}

// One button stops what runs, and one bar says how far it is: those of the transport, while they are there
// and can.
void MainWindow::show_activity() {
  const auto& work = state_.work();
  const bool at_transport = pages_->currentWidget() == parts_.workspace &&
                            parts_.transport->analyse_button()->defaultAction() == actions_.stop;
  parts_.status_line->set_activity(work                ? work->activity
                                   : state_.opening()  ? opening_text().section('\n', 0, 0)
                                   : state_.stopping() ? tr("Stopping…")
                                                       : QString::fromStdString(state_.status().activity),
                                   work && !at_transport ? work->share : -1);
  parts_.status_line->show_stop(state_.busy() && !at_transport);
}

void MainWindow::update_title() {
  if (!state_.open() && !state_.opening()) return setWindowTitle(tr("Vantage"));
  const std::filesystem::path file =
      state_.open() ? state_.project().path : std::filesystem::path(state_.opening_file().toStdString());
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
  for (QAction* action : actions_.layouts) needs(action, true, {});
  needs(actions_.save, status.unsaved || state_.project().path.empty(),
        tr("Nothing has changed since the last save."));
  const auto names = [&](QAction* action, const QString& verb, const std::string& what, const QString& none) {
    action->setText(what.empty() ? verb : verb + ' ' + step_text(what).replace("&", "&&"));
    needs(action, !what.empty(), none);
  };
  names(actions_.undo, tr("&Undo"), status.undoes, tr("Nothing to undo."));
  names(actions_.redo, tr("&Redo"), status.redoes, tr("Nothing to redo."));
  const bool stoppable = std::any_of(controls_.begin(), controls_.end(),
                                     [](const Control* control) { return control->stoppable(); });
  set_available(actions_.stop, stoppable || (state_.busy() && !state_.stopping()),
                state_.stopping() ? tr("The analysis is stopping.") : tr("No analysis is running."));
  for (Control* control : controls_) control->update_availability();
}

}  // namespace vantage::ui
