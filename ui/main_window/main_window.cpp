#include "ui/main_window/main_window.h"

#include <QCloseEvent>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <algorithm>
#include <utility>
#include <vector>

#include "ui/main_window/boards/boards_control.h"
#include "ui/main_window/bookmarks/bookmarks_control.h"
#include "ui/main_window/boxes/box_control.h"
#include "ui/main_window/calibrate/calibrate_control.h"
#include "ui/main_window/calibrate/compare_people_control.h"
#include "ui/main_window/calibrate/footage_control.h"
#include "ui/main_window/calibrate/points_control.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/cameras/cameras_control.h"
#include "ui/main_window/cameras/ignored_control.h"
#include "ui/main_window/case/case_control.h"
#include "ui/main_window/case/handover_control.h"
#include "ui/main_window/check_control.h"
#include "ui/main_window/clock/clock_control.h"
#include "ui/main_window/collect/collect_control.h"
#include "ui/main_window/compare/compare_control.h"
#include "ui/main_window/control.h"
#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/detector/detector_control.h"
#include "ui/main_window/doubts/doubts_control.h"
#include "ui/main_window/events_control.h"
#include "ui/main_window/export_control.h"
#include "ui/main_window/figure/figure_control.h"
#include "ui/main_window/file_control.h"
#include "ui/main_window/find/find_control.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/floor_error/floor_error_control.h"
#include "ui/main_window/focus_keys.h"
#include "ui/main_window/live_control.h"
#include "ui/main_window/measure/measure_control.h"
#include "ui/main_window/messages/messages_control.h"
#include "ui/main_window/nudge/nudge_control.h"
#include "ui/main_window/overlay_control.h"
#include "ui/main_window/panel_controls.h"
#include "ui/main_window/people_control.h"
#include "ui/main_window/playback_control.h"
#include "ui/main_window/plots/plots_control.h"
#include "ui/main_window/residuals/residuals_control.h"
#include "ui/main_window/screens/screens_control.h"
#include "ui/main_window/seals/seals_control.h"
#include "ui/main_window/serve_control.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/sweep/sweep_control.h"
#include "ui/main_window/sync_control.h"
#include "ui/main_window/trackers/trackers_control.h"
#include "ui/main_window/truth/mask_control.h"
#include "ui/main_window/truth/mask_merge_control.h"
#include "ui/main_window/truth/quality_control.h"
#include "ui/main_window/truth/truth_control.h"
#include "ui/main_window/variants/variants_control.h"
#include "ui/main_window/views_control.h"
#include "ui/main_window/why/why_control.h"
#include "ui/main_window/window_docks.h"
#include "ui/main_window/window_menus.h"
#include "ui/main_window/workspace.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/new_project_page.h"
#include "ui/panels/timings_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/start_page.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

// Everything in the window that does something with the open project, in one list.

template <typename Made>
Control* make_control(const WindowParts& parts) {
  return new Made(parts);
}

// Docks of one area are tabs in this order. The masks stand before those who ask for them.
constexpr Control* (*kControls[])(const WindowParts&) = {
    make_control<BoxControl>,        make_control<EvidenceControl>,  make_control<ExportControl>,
    make_control<CaseControl>,       make_control<HandoverControl>,  make_control<FileControl>,
    make_control<CrashRecovery>,     make_control<ServeControl>,     make_control<ParametersControl>,
    make_control<VariantsControl>,   make_control<CompareControl>,   make_control<WhyControl>,
    make_control<CheckControl>,      make_control<TimingsControl>,   make_control<LogControl>,
    make_control<SyncControl>,       make_control<CamerasControl>,   make_control<FloorControl>,
    make_control<LiveControl>,       make_control<EventsControl>,    make_control<FindControl>,
    make_control<DoubtsControl>,     make_control<PeopleControl>,    make_control<TrackersControl>,
    make_control<CalibrateControl>,  make_control<PointsControl>,    make_control<ComparePeopleControl>,
    make_control<FloorErrorControl>, make_control<ResidualsControl>, make_control<MeasureControl>,
    make_control<ClockControl>,      make_control<MessagesControl>,  make_control<BookmarksControl>,
    make_control<TruthControl>,      make_control<MaskControl>,      make_control<MaskMergeControl>,
    make_control<QualityControl>,    make_control<BoardsControl>,    make_control<NudgeControl>,
    make_control<SweepControl>,      make_control<FigureControl>,    make_control<PlotsControl>,
    make_control<ScreensControl>,    make_control<IgnoredControl>,   make_control<CollectControl>,
    make_control<SealsControl>,      make_control<FootageControl>,   make_control<DetectorControl>,
};

// In the order in which they are told of changes; they belong to the window. Sets those that others ask.
std::vector<Control*> make_controls(WindowParts& parts) {
  std::vector<Control*> controls = {new ViewsControl(parts)};
  controls.push_back(parts.playback = new PlaybackControl(parts));
  controls.push_back(parts.overlays = new OverlayControl(parts));
  for (const auto make : kControls) {
    controls.push_back(make(parts));
    if (auto* floor = qobject_cast<FloorControl*>(controls.back())) parts.floor = floor;
    if (auto* people = qobject_cast<PeopleControl*>(controls.back())) parts.people = people;
    if (auto* made = qobject_cast<CalibrateControl*>(controls.back())) parts.calibrate = made->panel();
  }
  return controls;
}

constexpr int kSaveStateMs = 15'000;
constexpr QSize kWindowFrame(16, 48);  // about what a window's title and border take
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
    : QMainWindow(parent),
      services_(std::move(services)),
      docks_(new WindowDocks(*this)),
      parts_(make_parts()) {
  services_.bridge->set_window(this);
  setWindowIcon(QIcon(colored_pixmap("vantage", Qt::black, 64)));
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks);
  build_pages();
  setStatusBar(parts_.status_line);
  parts_.status_line->set_backend(services_.backend);
  for (const QString& note : services_.notes) parts_.status_line->add_note(note);
  connect_controls();
  new FocusKeys(*this, *parts_.workspace);
  addToolBar(parts_.tool_bar = new WindowToolBar(*this));
  connect_pages();
  connect_session();
  restore_window();
  show_start_page();
  update_availability();
  post(command::SetAnalyseWhilePlaying{action("analyse_while_playing")->isChecked()});
  save_timer_.start(kSaveStateMs);
  connect(&save_timer_, &QTimer::timeout, this, &MainWindow::save_window);
}

// Controls read the state and the parts, which die before the window's children.
MainWindow::~MainWindow() {
  disconnect(services_.bridge, nullptr, this, nullptr);
  const std::vector<Control*> controls = std::exchange(controls_, {});
  std::for_each(controls.rbegin(), controls.rend(), [](Control* control) { delete control; });
}

WindowParts MainWindow::make_parts() {
  pages_ = new QStackedWidget;
  messages_ = new MessageBar(pages_);
  auto* workspace = new Workspace(services_.surfaces, services_.height_study);
  menus_ = new WindowMenus(*this, [this](const QString& file) { open_project(file); });
  add_project_commands();
  add_window_commands();
  add_layouts();
  return {.window = this,
          .services = services_,
          .state = state_,
          .menus = menus_,
          .messages = messages_,
          .status_line = new StatusLine(actions_.stop),
          .workspace = workspace,
          .cameras = workspace->cameras(),
          .scene = workspace->scene(),
          .height_map = workspace->height_map(),
          .timeline = workspace->timeline(),
          .transport = workspace->transport(),
          .held = workspace->held(),
          .log = new LogPanel,
          .timings = new TimingsPanel(services_.spans),
          .proposal = new Proposal(state_, this)};
}

void MainWindow::build_pages() {
  start_page_ = new StartPage;
  new_page_ = new NewProjectPage;
  for (QWidget* page : std::initializer_list<QWidget*>{start_page_, new_page_, parts_.workspace})
    pages_->addWidget(page);
  setCentralWidget(pages_);
  connect(messages_, &MessageBar::reached, new_page_, &NewProjectPage::keep_clear);
  connect(messages_, &MessageBar::reached, parts_.cameras, qOverload<>(&QWidget::update));
  parts_.cameras->set_notice(messages_);
  connect(pages_, &QStackedWidget::currentChanged, this, [this] {
    messages_->set_aside(pages_->currentWidget() == new_page_);
    parts_.status_line->set_position({});
    parts_.status_line->set_flow({});
    show_volume();
    show_activity();
  });
}

void MainWindow::connect_controls() {
  controls_ = make_controls(parts_);
  for (Control* control : controls_) adopt(control);
  menus_->settle_letters();
  start_page_->set_actions(
      {actions_.open, actions_.new_project, action("add_camera"), actions_.demonstration, action("guide")});
  connect(part<FileControl>(), &FileControl::demonstration_made, this, [this](const QString& file) {
    services_.demonstration = file;
    if (shows_start_page()) return open_demonstration(file);
    messages_->post({Severity::note, tr("The demonstration is ready."), tr("Open Demonstration"),
                     [this] { actions_.demonstration->trigger(); }});
  });
  connect(parts_.playback, &PlaybackControl::range_marked, &state_, &WindowState::set_range);
  connect(part<ClockControl>(), &ClockControl::clock_found, &state_, &WindowState::set_clock);
  connect(part<FileControl>(), &FileControl::save_as_requested, this, &MainWindow::save_as);
  connect(part<CrashRecovery>(), &CrashRecovery::layout_requested, this,
          [this] { restore_look(kLookSetAside); });
  connect(part<LiveControl>(), &LiveControl::opening_started, this, [this] {
    messages_->clear();
    state_.begin_opening({});
  });
  connect(&state_, &WindowState::forgotten, this, [this] {
    for (Control* control : controls_) control->forget();
  });
  connect(&state_, &WindowState::changed, this, &MainWindow::on_changed);
}

void MainWindow::adopt(Control* control) {
  connect(control, &Control::running_changed, this, &MainWindow::update_work);
  connect(control, &Control::availability_changed, this, &MainWindow::update_availability);
  connect(control, &Control::seek_requested, parts_.playback, &PlaybackControl::go_to);
  connect(control, &Control::work_requested, part<ExportControl>(), &ExportControl::in_background);
  connect(control, &Control::failed, this, &MainWindow::on_error);
  connect(control, &Control::open_requested, this, &MainWindow::open_project);
  connect(control, &Control::tool_begun, this, [this, control] {
    for (Control* other : controls_)
      if (other != control) other->end_tool();
  });
  const auto& dock = control->dock();
  if (!dock) return;
  docks_->add(*dock);
  connect(control, &Control::dock_wanted, docks_, [this, panel = dock->panel] { docks_->bring_up(panel); });
}

void MainWindow::apply_preferences(const Preferences& preferences) {
  store_preferences(preferences);
  choose_theme(preferences.theme);
  post(command::SetOffsetWatch{preferences.offset_watch});
  post(command::SetLimits{limits_of(preferences)});
  for (Control* control : controls_) control->apply(preferences);
}

void MainWindow::choose_theme(Theme theme) {
  QSettings().setValue("theme", static_cast<int>(theme));
  apply_theme(theme);
  actions_.themes[static_cast<size_t>(theme)]->setChecked(true);
}

// Starts with the first look after an early end, whose cause may lie in how the window looked.
void MainWindow::restore_window() {
  resize(QSize(1600, 960).boundedTo(screen()->availableGeometry().size() - kWindowFrame));
  const bool careful = services_.marker && services_.marker->careful();
  if (careful) {
    const auto& ends = services_.marker->early_ends();
    const auto usual = [](const EarlyEnd& end) { return !end.asked && !end.careful; };
    if (std::any_of(ends.begin(), ends.end(), usual)) set_look_aside();
  }
  restore_look(careful ? kFirstLook : "");
  apply_preferences(stored_preferences());
  part<CrashRecovery>()->offer_what_was_open(careful && QSettings().childGroups().contains(kLookSetAside));
}

void MainWindow::restore_look(const char* group) {
  QSettings settings;
  if (*group) settings.beginGroup(group);
  restoreGeometry(settings.value("geometry").toByteArray());
  resize(size().boundedTo(screen()->availableSize()));  // it may be of a larger screen
  docks_->restore(settings);
  for (Control* control : controls_) control->restore(settings);
  action("analyse_while_playing")->setChecked(settings.value("analyse_while_playing", false).toBool());
  parts_.workspace->restore(settings);
}

std::unique_ptr<MainWindow> MainWindow::made_again() {
  save_window();
  post(command::Autosave{});
  disconnect(services_.bridge, nullptr, this, nullptr);
  use_language(stored_preferences().language);
  auto made = std::make_unique<MainWindow>(services_);
  made->demonstration_open_ = demonstration_open_;
  if (action("analyse_while_playing")->isChecked() != made->action("analyse_while_playing")->isChecked())
    made->action("analyse_while_playing")->trigger();
  made->action("full_screen")->setChecked(isFullScreen());
  services_.bridge->repeat();
  made->state_.resume(state_);
  made->show();
  hide();
  return made;
}

bool MainWindow::withheld(const QString& file) const {
  return services_.marker && services_.marker->ended_early_with(file.toStdString());
}

void MainWindow::save_window() {
  QSettings settings;
  settings.setValue("geometry", saveGeometry());
  docks_->save(settings);
  parts_.workspace->save(settings);
  for (const Control* control : controls_) control->save(settings);
  if (!demonstration_open_)  // it switches this on for itself alone
    settings.setValue("analyse_while_playing", action("analyse_while_playing")->isChecked());
  settings.sync();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!may_leave_project()) return event->ignore();
  save_window();
  keep_thumbnail();
  part<CrashRecovery>()->project_closed();
  event->accept();
}

// Examines the project's file when the window is active again: another program may have changed it.
void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::ActivationChange && isActiveWindow() && state_.open())
    post(command::ExamineFile{});
}

}  // namespace vantage::ui
