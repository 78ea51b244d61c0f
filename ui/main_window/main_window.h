// The window: start page or views, transport, timeline, docks, menus and the message bar. It drives a Session
// and shows what comes back through a SessionBridge; it computes nothing and waits for nothing.
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <functional>
#include <optional>

#include "core/base/trace.h"
#include "core/live/credentials.h"
#include "core/session/session.h"
#include "ui/main_window/check_control.h"
#include "ui/main_window/preferences.h"
#include "ui/main_window/sync_control.h"
#include "ui/main_window/window_actions.h"
#include "ui/panels/kernel_launch.h"
#include "ui/platform/height_map_runner.h"
#include "ui/platform/local_camera.h"
#include "ui/views/surface_factory.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline.h"

class QDockWidget;
class QSplitter;
class QStackedWidget;

namespace vantage::ui {

class CameraGrid;
class CrashRecovery;
class ExportControl;
class FloorControl;
class FloorPanel;
class ChecksPanel;
class EventsControl;
class EventsPanel;
class HealthPanel;
class HeightMapPanel;
class HeldKeys;
class LiveControl;
class LogPanel;
class NewProjectPage;
class OverlayControl;
class ParametersPanel;
class PeopleControl;
class PeoplePanel;
class PlaybackControl;
class ProposalCard;
class SceneView;
class SessionBridge;
class StartPage;
class StatusLine;
class TimingsPanel;
class TrackersControl;
class TrackersPanel;
class Transport;
class WindowToolBar;

// What app hands to the window. Everything outlives it.
struct WindowServices {
  Session* session = nullptr;
  SessionBridge* bridge = nullptr;
  TraceRecorder* trace = nullptr;
  LaunchLookup launches;  // of the kernels in `trace`; empty: not known
  SurfaceFactory surfaces;
  CheckFunction check;  // empty: there are no checks
  HeightStudyFactory height_study;
  AlignFunction align;  // empty: no offsets are found
  AgreementFunction agreement;
  QString backend;        // "CPU, 2 threads", shown in the status bar
  QString demonstration;  // the demonstration's project; empty where there is none
  // Runs the backend's notes ("why no GPU") into the status bar's tooltip.
  QStringList notes;
  std::shared_ptr<CredentialStore> credentials;             // of live cameras; null: none are kept
  std::function<std::vector<LocalCamera>()> local_cameras;  // empty: the program opens none
};

class MainWindow final : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(WindowServices services, QWidget* parent = nullptr);
  ~MainWindow() override;

  void open_project(const QString& file);
  void choose_theme(Theme theme);
  void apply_preferences(const Preferences& preferences);
  // What was dropped on the window: a project, or videos and calibrations of a new one.
  void open_files(const QStringList& paths);
  // Opens, plays and analyses while playing, under one line of help.
  void open_demonstration(const QString& file);

  const WindowActions& actions_table() const { return actions_; }
  CameraGrid* cameras() const { return cameras_; }
  SceneView* scene() const { return scene_; }
  HeightMapPanel* height_map() const { return height_map_; }
  Timeline* timeline() const { return timeline_; }
  Transport* transport() const { return transport_; }
  ParametersPanel* parameters() const { return parameters_; }
  ChecksPanel* checks() const { return checks_; }
  MessageBar* messages() const { return messages_; }
  OverlayControl* overlays() const { return overlays_; }
  EventsPanel* events() const { return events_panel_; }
  HealthPanel* health() const { return health_; }
  ProposalCard* proposal_card() const { return proposal_card_; }
  SyncPanel* sync_panel() const { return sync_panel_; }
  FloorPanel* floor_panel() const { return floor_panel_; }
  FloorControl* floor() const { return floor_; }
  TrackersPanel* trackers_panel() const { return trackers_panel_; }
  TrackersControl* trackers() const { return trackers_; }
  PeoplePanel* people_panel() const { return people_panel_; }
  PeopleControl* people() const { return people_; }
  ExportControl* exports() const { return exports_; }
  PlaybackControl* playback() const { return playback_; }
  NewProjectPage* new_project_page() const { return new_page_; }
  bool shows_start_page() const;

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  enum class Layout { both, cameras, scene, height_map };
  // main_window.cpp: how it is put together
  void build_workspace();
  void build_docks();
  QDockWidget* add_dock(const QString& title, QWidget* content, QAction* action);
  void let_docks_give_way();
  void restore_window();
  void save_window() const;

  void choose_layout(Layout layout);
  // main_window_session.cpp: what the session reports
  void connect_session();
  void on_opened(const Project& project);
  void on_frame(const FrameResultRef& result);
  void on_status(const SessionStatus& status);
  void on_error(const Error& error);
  void go_on_without_device();
  void on_note(const QString& note);
  void show_place(const std::optional<Eigen::Vector3d>& point_in_world_m);
  void show_rejected(const QString& reason);
  void offer_flow();
  void show_scene_words();
  void update_availability();
  void show_activity();
  void update_title();
  void update_camera_actions();
  // main_window_commands.cpp: what people ask for
  void connect_commands();
  void connect_playback();
  void ask_for_project();
  void start_opening(const QString& file);
  bool save();
  bool save_as();
  bool may_leave_project();  // asks about unsaved work
  void close_project();
  void forget_project();
  void show_start_page();
  void export_picture();
  QPixmap picture_of_views();
  void copy_command();
  void show_about();
  // main_window_pages.cpp: start page, new project, workspace
  void connect_pages();
  void show_new_project(const QStringList& files);
  void leave_new_project();
  void keep_thumbnail();
  QString problem_words() const;
  // main_window_parts.cpp: playback, exports, recovery, checks, offsets, people, floor and trackers, joined
  // to session and views
  void bring_up(QDockWidget* dock);
  void connect_files();
  void connect_checks();
  void analyse(FrameRange frames);
  void connect_sync();
  void build_people_docks();
  void connect_people();
  void connect_floor();
  void connect_trackers();
  void connect_events();
  void connect_live();
  bool busy() const { return status_.analysing || check_->running() || sync_->running(); }

  WindowServices services_;
  WindowActions actions_;
  Project project_;
  ParameterStore saved_parameters_;  // as the file has them, for Copy as Command
  SessionStatus status_;
  std::optional<bool> on_cpu_;  // the chain; nothing: not said yet
  FrameResultRef result_;
  bool project_open_ = false, demonstration_open_ = false;
  bool opening_ = false, play_when_opened_ = false;

  QStackedWidget* pages_ = nullptr;
  StartPage* start_page_ = nullptr;
  NewProjectPage* new_page_ = nullptr;
  QWidget* workspace_ = nullptr;
  QSplitter* views_ = nullptr;
  CameraGrid* cameras_ = nullptr;
  SceneView* scene_ = nullptr;
  HeightMapPanel* height_map_ = nullptr;
  Transport* transport_ = nullptr;
  Timeline* timeline_ = nullptr;
  MessageBar* messages_ = nullptr;
  CrashRecovery* recovery_ = nullptr;
  ExportControl* exports_ = nullptr;
  HeldKeys* held_ = nullptr;
  PlaybackControl* playback_ = nullptr;
  OverlayControl* overlays_ = nullptr;
  FloorPanel* floor_panel_ = nullptr;
  QDockWidget* floor_dock_ = nullptr;
  FloorControl* floor_ = nullptr;
  TrackersPanel* trackers_panel_ = nullptr;
  TrackersControl* trackers_ = nullptr;
  PeoplePanel* people_panel_ = nullptr;
  PeopleControl* people_ = nullptr;
  ProposalCard* proposal_card_ = nullptr;
  SyncPanel* sync_panel_ = nullptr;
  SyncControl* sync_ = nullptr;
  QDockWidget* sync_dock_ = nullptr;
  ParametersPanel* parameters_ = nullptr;
  ChecksPanel* checks_ = nullptr;
  CheckControl* check_ = nullptr;
  QDockWidget* checks_dock_ = nullptr;
  TimingsPanel* timings_ = nullptr;
  LogPanel* log_ = nullptr;
  QDockWidget* parameters_dock_ = nullptr;
  QDockWidget* log_dock_ = nullptr;
  HealthPanel* health_ = nullptr;
  QDockWidget* health_dock_ = nullptr;
  EventsPanel* events_panel_ = nullptr;
  EventsControl* events_ = nullptr;
  QDockWidget* events_dock_ = nullptr;
  LiveControl* live_ = nullptr;
  WindowToolBar* toolbar_ = nullptr;
  StatusLine* status_line_ = nullptr;
  QByteArray docks_aside_;  // the window's state to return to; empty: the docks are where people put them
  QTimer save_timer_;
  bool rejected_shown_ = false;
};

}  // namespace vantage::ui
