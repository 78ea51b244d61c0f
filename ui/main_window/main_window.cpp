#include "ui/main_window/main_window.h"
#include "ui/main_window/workspace.h"

#include <QApplication>
#include <QCloseEvent>
#include <QSettings>
#include <QStackedWidget>
#include <algorithm>

#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/evidence_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/run_marker.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/window_menus.h"
#include "ui/main_window/window_tool_bar.h"
#include "ui/panels/new_project_page.h"
#include "ui/platform/session_bridge.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/start_page.h"

namespace vantage::ui {
namespace {

constexpr int kSaveStateMs = 15'000;
// Groups of the settings: empty, so that everything is as at the first start; how the window looked when it
// ended early.
constexpr const char *kFirstLook = "first_look", *kLookSetAside = "look_before_early_end";

void set_look_aside() {
  QSettings settings;
  settings.remove(kLookSetAside);
  for (const QString& key : settings.childKeys())
    settings.setValue(QString("%1/%2").arg(kLookSetAside, key), settings.value(key));
}

}  // namespace

MainWindow::MainWindow(WindowServices services, QWidget* parent)
    : QMainWindow(parent), services_(std::move(services)), actions_(make_actions(this)) {
  setWindowIcon(QIcon(colored_pixmap("vantage", Qt::black, 64)));
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks);
  build_pages();
  docks_ = new WindowDocks(*this, actions_, services_.spans, services_.launches);
  overlays_ = new OverlayControl(actions_, {workspace_->cameras(), workspace_->scene(), panels().timings},
                                 services_.session, this);
  evidence_ = new EvidenceControl(actions_, {workspace_->cameras(), workspace_->scene(), overlays_, this});
  if (services_.demonstration.isEmpty()) actions_.demonstration->setVisible(false);
  build_menus(*this, actions_, [this](const QString& file) { open_project(file); });
  addToolBar(toolbar_ = new WindowToolBar(actions_));
  setStatusBar(status_line_ = new StatusLine(actions_.stop));
  status_line_->set_backend(services_.backend);
  for (const QString& note : services_.notes) status_line_->add_note(note);
  connect_playback();
  connect_files();
  connect_pages();
  connect_session();
  connect_commands();
  connect_checks();
  connect_sync();
  connect_people();
  connect_floor();
  connect_trackers();
  connect_events();
  connect_live();
  connect_serving();
  restore_window();
  show_start_page();
  update_availability();
  services_.session->post(command::SetAnalyseWhilePlaying{actions_.analyse_while_playing->isChecked()});
  save_timer_.start(kSaveStateMs);
  connect(&save_timer_, &QTimer::timeout, this, &MainWindow::save_window);
}

MainWindow::~MainWindow() {
  disconnect(services_.bridge, nullptr, this, nullptr);
}

void MainWindow::build_pages() {
  start_page_ = new StartPage(actions_.new_project, actions_.open,
                              services_.demonstration.isEmpty() ? nullptr : actions_.demonstration);
  new_page_ = new NewProjectPage;
  workspace_ = new Workspace(actions_, services_.surfaces, services_.height_study);
  pages_ = new QStackedWidget;
  for (QWidget* page : std::initializer_list<QWidget*>{start_page_, new_page_, workspace_})
    pages_->addWidget(page);
  setCentralWidget(pages_);
  messages_ = new MessageBar(pages_);
  connect(messages_, &MessageBar::reached, new_page_, &NewProjectPage::keep_clear);
  // A new project needs the room, and the docks are about the open one: they come back when the page is left.
  connect(pages_, &QStackedWidget::currentChanged, this, [this] {
    docks_->set_aside(pages_->currentWidget() == new_page_);
    status_line_->set_place({});
    status_line_->set_flow({});
    show_volume();
  });
}

void MainWindow::apply_preferences(const Preferences& preferences) {
  store_preferences(preferences);
  choose_theme(preferences.theme);
  recovery_->keep_changes_after(preferences.autosave_s);
  services_.session->post(command::SetOffsetWatch{preferences.offset_watch});
  services_.session->post(command::SetLimits{limits_of(preferences)});
  events_->set_alarm(preferences.alarm);
}

void MainWindow::choose_theme(Theme theme) {
  QSettings().setValue("theme", static_cast<int>(theme));
  apply_theme(theme);
  (theme == Theme::dark    ? actions_.theme_dark
   : theme == Theme::light ? actions_.theme_light
                           : actions_.theme_system)
      ->setChecked(true);
}

// What ended the program early may lie in how the window looked: then it starts as the first time.
void MainWindow::restore_window() {
  resize(1600, 960);
  const bool careful = services_.marker && services_.marker->careful();
  if (careful) {
    const auto& ends = services_.marker->early_ends();
    const auto usual = [](const EarlyEnd& end) { return !end.asked && !end.careful; };
    if (std::any_of(ends.begin(), ends.end(), usual)) set_look_aside();
  }
  restore_look(careful ? kFirstLook : "");
  apply_preferences(stored_preferences());
  recovery_->offer_what_was_open(careful && QSettings().childGroups().contains(kLookSetAside));
}

void MainWindow::restore_look_set_aside() {
  restore_look(kLookSetAside);
}

void MainWindow::restore_look(const char* group) {
  QSettings settings;
  if (*group) settings.beginGroup(group);
  restoreGeometry(settings.value("geometry").toByteArray());
  docks_->restore(settings);
  overlays_->restore(settings);
  actions_.analyse_while_playing->setChecked(settings.value("analyse_while_playing", false).toBool());
  workspace_->restore(settings);
}

bool MainWindow::withheld(const QString& file) const {
  return services_.marker && services_.marker->ended_early_with(file.toStdString());
}

void MainWindow::save_window() const {
  QSettings settings;
  settings.setValue("geometry", saveGeometry());
  docks_->save(settings);
  workspace_->save(settings);
  overlays_->save();
  if (!demonstration_open_)  // it switches this on for itself alone
    settings.setValue("analyse_while_playing", actions_.analyse_while_playing->isChecked());
  settings.sync();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!may_leave_project()) return event->ignore();
  save_window();
  keep_thumbnail();
  recovery_->project_closed();
  event->accept();
}

// Who comes back from another program may have changed the project there.
void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::ActivationChange && isActiveWindow() && project_open_)
    services_.session->post(command::ExamineFile{});
}

bool MainWindow::shows_start_page() const {
  return pages_->currentWidget() == start_page_;
}

}  // namespace vantage::ui
