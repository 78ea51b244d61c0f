#include "ui/main_window/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/held_keys.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/recent_projects.h"
#include "ui/panels/checks_button.h"
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
    : QMainWindow(parent),
      services_(std::move(services)),
      actions_(make_actions(this)),
      notes_(services_.notes) {
  setWindowIcon(QIcon(colored_pixmap("vantage", Qt::black, 64)));
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks);
  build_workspace();
  build_docks();
  overlays_ = new OverlayControl(actions_, {cameras_, scene_, timings_}, services_.session, this);
  build_menus();
  build_toolbar();
  build_status_bar();
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
  set_icons();
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

void MainWindow::add_recent_menu(QMenu* file) {
  QMenu* recent = file->addMenu(tr("Open &Recent"));
  recent->setToolTipsVisible(true);
  connect(file, &QMenu::aboutToShow, recent,
          [recent] { recent->menuAction()->setEnabled(!recent_projects().isEmpty()); });
  connect(recent, &QMenu::aboutToShow, this, [this, recent] {
    recent->clear();
    for (const QString& path : recent_projects()) {
      QAction* action =
          recent->addAction(QString(path).replace("&", "&&"), this, [this, path] { open_project(path); });
      action->setToolTip(tr("Open %1").arg(path));
    }
  });
}

void MainWindow::build_menus() {
  const auto add = [this](const QString& title, const std::vector<QAction*>& actions) {
    QMenu* menu = menuBar()->addMenu(title);
    menu->setToolTipsVisible(true);
    for (QAction* action : actions) {
      if (action)
        menu->addAction(action);
      else
        menu->addSeparator();
    }
    return menu;
  };
  const auto& a = actions_;
  if (services_.demonstration.isEmpty()) a.demonstration->setVisible(false);
  if (!services_.height_study) a.layout_height_map->setVisible(false);
  QMenu* file = add(tr("&File"), {a.new_project, a.add_camera, a.open});
  add_recent_menu(file);
  file->addActions({a.demonstration, a.save, a.save_as});
  QMenu* exports = file->addMenu(tr("&Export"));
  exports->setToolTipsVisible(true);
  exports->addActions({a.export_results, a.export_counts, a.export_picture, a.export_calibration});
  file->addSeparator();
  file->addActions({a.close, a.quit});
  QMenu* edit = add(tr("&Edit"), {a.undo, a.redo, nullptr, a.copy_picture, a.copy_command, nullptr});
  QMenu* people = edit->addMenu(tr("&People"));
  people->setToolTipsVisible(true);
  people->addActions({a.next_person, a.previous_person, a.follow_person, a.join_people, a.split_person,
                      a.swap_people, a.delete_person});
  edit->addSeparator();
  edit->addAction(a.preferences);

  QMenu* view = add(tr("&View"), {});
  const auto add_below = [&](const QString& title, const std::vector<QAction*>& actions, bool exclusive) {
    QMenu* menu = view->addMenu(title);
    menu->setToolTipsVisible(true);
    menu->addActions(QList<QAction*>(actions.begin(), actions.end()));
    if (!exclusive) return;
    auto* group = new QActionGroup(this);
    for (QAction* action : actions) group->addAction(action);
  };
  add_below(
      tr("&Overlays"),
      {a.foreground, a.people, a.people_style, a.trails,     a.volume,    a.color_by_person, a.floor_map,
       a.heads,      a.cut,    a.cut_turn,     a.cut_higher, a.cut_lower, a.region,          a.coverage,
       a.shapes,     a.box,    a.figure,       a.details,    a.flow,      a.flow_arrows,     a.heights},
      false);
  std::vector<QAction*> cameras = {a.all_cameras};
  cameras.insert(cameras.end(), a.cameras.begin(), a.cameras.end());
  add_below(tr("&Cameras"), cameras, false);
  add_below(tr("&Docks"),
            {a.people_dock, a.floor_dock, a.trackers_dock, a.parameters, a.checks, a.timings, a.log,
             a.synchronisation, a.health, a.events},
            false);
  add_below(tr("&Layout"), {a.layout_both, a.layout_cameras, a.layout_scene, a.layout_height_map}, true);
  add_below(tr("&Theme"), {a.theme_system, a.theme_light, a.theme_dark}, true);
  view->addAction(a.full_screen);

  add(tr("&Playback"),
      {a.play, a.backwards, a.pause, a.forwards, nullptr, a.step_back, a.step_forward, a.second_back,
       a.second_forward, a.first, a.last, a.next_event, nullptr, a.mark_in, a.mark_out, a.clear_range});
  add(tr("&Analysis"), {a.check, a.find_offsets, a.apply_offset, a.dismiss_offset, nullptr, a.analyse_range,
                        a.analyse_all, a.analyse_while_playing, a.record, nullptr, a.compare_trackers,
                        a.draw_trackers, a.load_truth, nullptr, a.stop});
  add(tr("&Scene"), {a.top, a.reset_scene, nullptr, a.region, a.edit_region, a.box, a.edit_numbers, a.figure,
                     nullptr, a.draw_zone, a.draw_line, a.move_corners, a.delete_shape, a.learn_entrances});
  add(tr("&Help"), {a.first_steps, a.shortcuts, nullptr, a.report_problem, a.about});
}

void MainWindow::build_toolbar() {
  toolbar_ = addToolBar(tr("Overlays"));
  toolbar_->setObjectName("overlays_toolbar");
  toolbar_->setMovable(false);
  toolbar_->setFixedHeight(40);
  toolbar_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  toolbar_->setIconSize({18, 18});
  toolbar_->toggleViewAction()->setVisible(false);
  const auto& a = actions_;
  toolbar_->addActions({a.foreground, a.people, a.trails, a.volume, a.floor_map});
  auto* more = new QToolButton;
  more->setText(tr("More") + QStringLiteral(" \u25be"));
  more->setToolTip(tr("More to show over the views"));
  more->setAccessibleName(tr("More overlays"));
  more->setPopupMode(QToolButton::InstantPopup);
  more->addActions({a.heads, a.heights, a.cut, a.cut_turn, a.region, a.coverage, a.shapes, a.box, a.figure,
                    a.details, a.flow, a.flow_arrows, a.people_style, a.color_by_person});
  toolbar_->addWidget(more);
  auto* room = new QWidget;
  room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  toolbar_->addWidget(room);
  toolbar_->addAction(actions_.top);
  auto* layout = new QToolButton;
  layout->setText(tr("Layout") + QStringLiteral(" \u25be"));
  layout->setToolTip(tr("Share the room between cameras and scene"));
  layout->setAccessibleName(tr("Layout"));
  layout->setPopupMode(QToolButton::InstantPopup);
  layout->addActions(
      {actions_.layout_both, actions_.layout_cameras, actions_.layout_scene, actions_.layout_height_map});
  toolbar_->addWidget(layout);
  checks_button_ = new ChecksButton(actions_.checks);
  auto* holder = new QWidget;  // a tool bar's own buttons all have its icon size; the mark is wider
  auto* held = new QHBoxLayout(holder);
  held->setContentsMargins(0, 0, 0, 0);
  held->addWidget(checks_button_);
  toolbar_->addWidget(holder);
  for (QToolButton* button : toolbar_->findChildren<QToolButton*>()) {
    button->setFocusPolicy(Qt::TabFocus);
    if (button->accessibleName().isEmpty()) button->setAccessibleName(button->text().remove('&'));
  }
}

void MainWindow::build_status_bar() {
  const auto label = [](const QString& name) {
    auto* made = new QLabel;
    made->setAccessibleName(name);
    return made;
  };
  place_label_ = label(tr("Place"));
  volume_label_ = label(tr("Volume"));
  backend_label_ = label(tr("Backend"));
  activity_label_ = label(tr("Activity"));
  stop_button_ = new QPushButton(tr("Stop"));
  stop_button_->setAccessibleName(tr("Stop"));
  stop_button_->setToolTip(actions_.stop->toolTip());
  stop_button_->setFixedHeight(20);
  stop_button_->hide();
  connect(stop_button_, &QPushButton::clicked, actions_.stop, &QAction::trigger);
  QStatusBar* bar = statusBar();
  bar->setSizeGripEnabled(false);
  bar->setFixedHeight(24);
  place_label_->setIndent(10);
  bar->addWidget(place_label_, 1);
  for (QWidget* widget :
       std::initializer_list<QWidget*>{volume_label_, backend_label_, activity_label_, stop_button_}) {
    widget->setContentsMargins(8, 0, 8, 0);
    bar->addPermanentWidget(widget);
  }
  backend_label_->setObjectName("backend");
  backend_label_->setText(services_.backend);
  backend_label_->setToolTip(notes_.join('\n'));
}

void MainWindow::set_icons() {
  for (QAction* action :
       {actions_.foreground, actions_.people, actions_.trails, actions_.volume, actions_.floor_map})
    action->setIcon(themed_icon(action->objectName(), palette()));
  actions_.top->setIcon(themed_icon("layout", palette()));
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && toolbar_) set_icons();
  QMainWindow::changeEvent(event);
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
