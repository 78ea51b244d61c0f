// The window: start page or views, transport, timeline, docks, menus and the message bar. It drives a Session
// and shows what comes back through a SessionBridge; it computes nothing and waits for nothing.
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <functional>
#include <optional>

#include "core/backend/device.h"
#include "core/base/span_readers.h"
#include "core/live/credentials.h"
#include "core/session/result_service.h"
#include "core/session/session.h"
#include "ui/main_window/check_control.h"
#include "ui/main_window/preferences.h"
#include "ui/main_window/sync_control.h"
#include "ui/main_window/window_actions.h"
#include "ui/main_window/window_docks.h"
#include "ui/platform/height_map_runner.h"
#include "ui/platform/local_camera.h"
#include "ui/views/surface_factory.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"

class QStackedWidget;

namespace vantage::ui {

class CrashRecovery;
class ExportControl;
class FileControl;
class FloorControl;
class EventsControl;
class EvidenceControl;
class LiveControl;
class NewProjectPage;
class OverlayControl;
class PeopleControl;
class PlaybackControl;
class RunMarker;
class ServeControl;
class SessionBridge;
class StartPage;
class StatusLine;
class TrackersControl;
class WindowToolBar;
class Workspace;

// What app hands to the window. Everything outlives it.
struct WindowServices {
  Session* session = nullptr;
  SessionBridge* bridge = nullptr;
  SpanReaders* spans = nullptr;
  LaunchLookup launches;  // of the kernels in `spans`; empty: not known
  SurfaceFactory surfaces;
  CheckFunction check;  // empty: there are no checks
  HeightStudyFactory height_study;
  AlignFunction align;  // empty: no offsets are found
  AgreementFunction agreement;
  QString backend;        // "CPU, 2 threads", shown in the status bar
  QStringList gpus;       // names of all there are, by number
  QString demonstration;  // the demonstration's project; empty where there is none
  // Runs the backend's notes ("why no GPU") into the status bar's tooltip.
  QStringList notes;
  std::shared_ptr<CredentialStore> credentials;             // of live cameras; null: none are kept
  std::shared_ptr<ResultService> result_service;            // null: nothing is served
  std::function<std::vector<LocalCamera>()> local_cameras;  // empty: the program opens none
  RunMarker* marker = nullptr;  // of this run; null: nothing is known of runs before
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
  // Asked for on the command line, but a run before ended early with it: it is offered instead.
  bool withheld(const QString& file) const;
  // Opens, plays and analyses while playing, under one line of help.
  void open_demonstration(const QString& file);

  const WindowActions& actions_table() const { return actions_; }
  Workspace* workspace() const { return workspace_; }
  const WindowDocks::Panels& panels() const { return docks_->panels(); }
  MessageBar* messages() const { return messages_; }
  OverlayControl* overlays() const { return overlays_; }
  EvidenceControl* evidence() const { return evidence_; }
  FloorControl* floor() const { return floor_; }
  TrackersControl* trackers() const { return trackers_; }
  PeopleControl* people() const { return people_; }
  ExportControl* exports() const { return exports_; }
  FileControl* files() const { return files_; }
  PlaybackControl* playback() const { return playback_; }
  ServeControl* serving() const { return serve_; }
  NewProjectPage* new_project_page() const { return new_page_; }
  bool shows_start_page() const;

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  // main_window.cpp: how it is put together
  void build_pages();
  void restore_window();
  void restore_look(const char* group);
  void restore_look_set_aside();
  void save_window() const;
  // main_window_session.cpp: what the session reports
  void connect_session();
  void on_opened(const Project& project);
  void on_frame(const ShownFrameRef& shown);
  void on_status(const SessionStatus& status);
  void on_error(const Error& error);
  void post_failure(const QString& message);
  void offer_cpu(const QString& message);
  void go_on_without_device();
  void on_note(const QString& note);
  void show_place(const std::optional<Eigen::Vector3d>& point_in_world_m);
  void offer_stage(const QString& stage);
  void show_scene_words();
  void show_volume();
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
  void connect_files();
  void connect_checks();
  void analyse(FrameRange frames);
  void connect_sync();
  void connect_people();
  void connect_floor();
  void connect_trackers();
  void connect_events();
  void connect_live();
  void connect_serving();
  bool busy() const { return status_.analysing || check_->running() || sync_->running(); }

  WindowServices services_;
  WindowActions actions_;
  Project project_;
  ParameterStore saved_parameters_;  // as the file has them, for Copy as Command
  SessionStatus status_;
  std::optional<bool> on_cpu_;  // the chain; nothing: not said yet
  QString device_failure_;      // the message that offers the CPU
  ShownFrameRef shown_;
  bool project_open_ = false, demonstration_open_ = false;
  bool opening_ = false, play_when_opened_ = false;
  QString opening_file_;

  QStackedWidget* pages_ = nullptr;
  StartPage* start_page_ = nullptr;
  NewProjectPage* new_page_ = nullptr;
  Workspace* workspace_ = nullptr;
  WindowDocks* docks_ = nullptr;
  WindowToolBar* toolbar_ = nullptr;
  StatusLine* status_line_ = nullptr;
  MessageBar* messages_ = nullptr;
  CrashRecovery* recovery_ = nullptr;
  FileControl* files_ = nullptr;
  ExportControl* exports_ = nullptr;
  PlaybackControl* playback_ = nullptr;
  OverlayControl* overlays_ = nullptr;
  EvidenceControl* evidence_ = nullptr;
  FloorControl* floor_ = nullptr;
  TrackersControl* trackers_ = nullptr;
  PeopleControl* people_ = nullptr;
  SyncControl* sync_ = nullptr;
  CheckControl* check_ = nullptr;
  EventsControl* events_ = nullptr;
  LiveControl* live_ = nullptr;
  ServeControl* serve_ = nullptr;
  QTimer save_timer_;
};

}  // namespace vantage::ui
