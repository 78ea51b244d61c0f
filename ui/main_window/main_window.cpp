#include "ui/main_window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/held_keys.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/window_menus.h"
#include "ui/main_window/window_tool_bar.h"
#include "ui/panels/checks_panel.h"
#include "ui/panels/events_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/height_map_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/new_project_page.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/proposal_card.h"
#include "ui/panels/sync_panel.h"
#include "ui/panels/timings_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/views/height_map_canvas.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/start_page.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

constexpr int kDockWidth = 360;
constexpr int kSaveStateMs = 15'000;
constexpr int kWindowStateVersion = 1;

}  // namespace

MainWindow::MainWindow(WindowServices services, QWidget* parent)
    : QMainWindow(parent), services_(std::move(services)), actions_(make_actions(this)) {
  setWindowIcon(QIcon(colored_pixmap("vantage", Qt::black, 64)));
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks);
  build_workspace();
  build_docks();
  overlays_ = new OverlayControl(actions_, {cameras_, scene_, timings_}, services_.session, this);
  if (services_.demonstration.isEmpty()) actions_.demonstration->setVisible(false);
  if (!services_.height_study) actions_.layout_height_map->setVisible(false);
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
  restore_window();
  show_start_page();
  update_availability();
  services_.session->set_analyse_while_playing(actions_.analyse_while_playing->isChecked());
  save_timer_.start(kSaveStateMs);
  connect(&save_timer_, &QTimer::timeout, this, &MainWindow::save_window);
}

MainWindow::~MainWindow() {
  disconnect(services_.bridge, nullptr, this, nullptr);
}

void MainWindow::build_workspace() {
  start_page_ = new StartPage(actions_.new_project, actions_.open,
                              services_.demonstration.isEmpty() ? nullptr : actions_.demonstration);
  cameras_ = new CameraGrid(services_.surfaces);
  scene_ = new SceneView(services_.surfaces);
  views_ = new QSplitter(Qt::Horizontal);
  views_->addWidget(cameras_);
  views_->addWidget(scene_);
  height_map_ = new HeightMapPanel(services_.height_study, services_.surfaces);
  height_map_->hide();
  views_->addWidget(height_map_);
  views_->setChildrenCollapsible(false);
  views_->setHandleWidth(4);
  views_->setStretchFactor(0, 1120);
  views_->setStretchFactor(1, 794);
  views_->setSizes({1120, 794});
  transport_ = new Transport(
      {actions_.step_back, actions_.play, actions_.step_forward, actions_.analyse_range, actions_.record});
  timeline_ = new Timeline;
  workspace_ = new QWidget;
  auto* rows = new QVBoxLayout(workspace_);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(views_, 1);
  rows->addWidget(transport_);
  rows->addWidget(timeline_);
  workspace_->addActions(QList<QAction*>(actions_.in_views.begin(), actions_.in_views.end()));
  held_ = new HeldKeys(workspace_);
  pages_ = new QStackedWidget;
  pages_->addWidget(start_page_);
  new_page_ = new NewProjectPage;
  pages_->addWidget(new_page_);
  pages_->addWidget(workspace_);
  setCentralWidget(pages_);
  messages_ = new MessageBar(pages_);
  connect(pages_, &QStackedWidget::currentChanged, this, &MainWindow::let_docks_give_way);
}

// A new project needs the room, and the docks are about the open one: they come back when the page is left.
void MainWindow::let_docks_give_way() {
  const bool aside = pages_->currentWidget() == new_page_;
  if (aside == !docks_aside_.isEmpty()) return;
  if (aside) {
    docks_aside_ = saveState(kWindowStateVersion);
    for (QDockWidget* dock : findChildren<QDockWidget*>()) dock->hide();
  } else {
    restoreState(std::exchange(docks_aside_, {}), kWindowStateVersion);
  }
}

QDockWidget* MainWindow::add_dock(const QString& title, QWidget* content, QAction* action) {
  auto* dock = new QDockWidget(title);
  dock->setObjectName(action->objectName() + "_dock");
  dock->setAccessibleName(title);
  content->setMinimumWidth(240);
  dock->setWidget(content);
  addDockWidget(Qt::RightDockWidgetArea, dock);
  dock->hide();
  connect(dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
  // A dock behind another tab comes to the front; one in front closes.
  connect(action, &QAction::triggered, dock, [dock] {
    const bool in_front = dock->isVisible() && !dock->visibleRegion().isEmpty();
    dock->setVisible(!in_front);
    if (!in_front) dock->raise();
  });
  return dock;
}

void MainWindow::build_docks() {
  parameters_ = new ParametersPanel;
  checks_ = new ChecksPanel;
  timings_ = new TimingsPanel(services_.trace);
  timings_->set_launches(services_.launches);
  log_ = new LogPanel;
  parameters_dock_ = add_dock(tr("Parameters"), parameters_, actions_.parameters);
  checks_dock_ = add_dock(tr("Checks"), checks_, actions_.checks);
  QDockWidget* timings = add_dock(tr("Timings"), timings_, actions_.timings);
  log_dock_ = add_dock(tr("Log"), log_, actions_.log);
  proposal_card_ = new ProposalCard(actions_.apply_offset, actions_.dismiss_offset);
  sync_panel_ = new SyncPanel(actions_.find_offsets, actions_.undo, proposal_card_);
  sync_dock_ = add_dock(tr("Synchronisation"), sync_panel_, actions_.synchronisation);
  build_people_docks();
  health_ = new HealthPanel;
  health_dock_ = add_dock(tr("Health"), health_, actions_.health);
  events_panel_ = new EventsPanel;
  events_dock_ = add_dock(tr("Events"), events_panel_, actions_.events);
  tabifyDockWidget(parameters_dock_, checks_dock_);
  tabifyDockWidget(checks_dock_, timings);
  tabifyDockWidget(timings, log_dock_);
  tabifyDockWidget(log_dock_, sync_dock_);
  tabifyDockWidget(sync_dock_, floor_dock_);
  tabifyDockWidget(floor_dock_, health_dock_);
  tabifyDockWidget(health_dock_, events_dock_);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
  resizeDocks({parameters_dock_}, {kDockWidth}, Qt::Horizontal);
}

void MainWindow::apply_preferences(const Preferences& preferences) {
  store_preferences(preferences);
  choose_theme(preferences.theme);
  recovery_->keep_changes_after(preferences.autosave_s);
  services_.session->set_offset_watch(preferences.offset_watch);
  services_.session->set_limits(limits_of(preferences));
}

void MainWindow::choose_theme(Theme theme) {
  QSettings().setValue("theme", static_cast<int>(theme));
  apply_theme(theme);
  (theme == Theme::dark    ? actions_.theme_dark
   : theme == Theme::light ? actions_.theme_light
                           : actions_.theme_system)
      ->setChecked(true);
}

void MainWindow::choose_layout(Layout layout) {
  cameras_->setVisible(layout == Layout::both || layout == Layout::cameras);
  scene_->setVisible(layout == Layout::both || layout == Layout::scene);
  height_map_->setVisible(layout == Layout::height_map);
  (layout == Layout::both      ? actions_.layout_both
   : layout == Layout::cameras ? actions_.layout_cameras
   : layout == Layout::scene   ? actions_.layout_scene
                               : actions_.layout_height_map)
      ->setChecked(true);
  (layout == Layout::height_map ? height_map_->canvas()
   : layout == Layout::scene    ? static_cast<QWidget*>(scene_)
                                : cameras_)
      ->setFocus();
  QSettings().setValue("layout", static_cast<int>(layout));
}

void MainWindow::restore_window() {
  const QSettings settings;
  resize(1600, 960);
  restoreGeometry(settings.value("geometry").toByteArray());
  restoreState(settings.value("state").toByteArray(), kWindowStateVersion);
  views_->restoreState(settings.value("views").toByteArray());
  overlays_->restore();
  actions_.analyse_while_playing->setChecked(settings.value("analyse_while_playing", false).toBool());
  apply_preferences(stored_preferences());
  const auto layout = static_cast<Layout>(settings.value("layout", 0).toInt());
  choose_layout(layout == Layout::height_map && !height_map_->available() ? Layout::both : layout);
}

void MainWindow::save_window() const {
  QSettings settings;
  settings.setValue("geometry", saveGeometry());
  settings.setValue("state", docks_aside_.isEmpty() ? saveState(kWindowStateVersion) : docks_aside_);
  settings.setValue("views", views_->saveState());
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

bool MainWindow::shows_start_page() const {
  return pages_->currentWidget() == start_page_;
}

}  // namespace vantage::ui
