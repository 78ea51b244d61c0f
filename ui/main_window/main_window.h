// The window: start page or views, transport, timeline, docks, menus and the message bar. It drives a Session
// and shows what comes back through a SessionBridge; it computes nothing and waits for nothing.
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <optional>

#include "core/base/trace.h"
#include "core/session/session.h"
#include "ui/main_window/window_actions.h"
#include "ui/views/surface_factory.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/timeline.h"

class QDockWidget;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace vantage::ui {

class CameraGrid;
class HeldKeys;
class LogPanel;
class OverlayControl;
class ParametersPanel;
class SceneView;
class SessionBridge;
class StartPage;
class TimingsPanel;
class Transport;

// What app hands to the window. Everything outlives it.
struct WindowServices {
  Session* session = nullptr;
  SessionBridge* bridge = nullptr;
  TraceRecorder* trace = nullptr;
  SurfaceFactory surfaces;
  QString backend;        // "CPU, 2 threads", shown in the status bar
  QString demonstration;  // the demonstration's project; empty where there is none
  // Runs the backend's notes ("why no GPU") into the status bar's tooltip.
  QStringList notes;
};

class MainWindow final : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(WindowServices services, QWidget* parent = nullptr);
  ~MainWindow() override;

  void open_project(const QString& file);
  void choose_theme(Theme theme);
  // Opens, plays and analyses while playing, under one line of help.
  void open_demonstration(const QString& file);

  const WindowActions& actions_table() const { return actions_; }
  CameraGrid* cameras() const { return cameras_; }
  SceneView* scene() const { return scene_; }
  Timeline* timeline() const { return timeline_; }
  Transport* transport() const { return transport_; }
  ParametersPanel* parameters() const { return parameters_; }
  MessageBar* messages() const { return messages_; }
  OverlayControl* overlays() const { return overlays_; }
  const MarkedRange& range() const { return range_; }
  bool shows_start_page() const;

 protected:
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum class Layout { both, cameras, scene };
  // main_window.cpp: how it is put together
  void build_workspace();
  void build_docks();
  void build_menus();
  void build_toolbar();
  void build_status_bar();
  void add_recent_menu(QMenu* file);
  QDockWidget* add_dock(const QString& title, QWidget* content, QAction* action);
  void set_icons();
  void restore_window();
  void save_window() const;

  void choose_layout(Layout layout);
  // main_window_session.cpp: what the session reports
  void connect_session();
  void on_opened(const Project& project);
  void on_frame(const FrameResultRef& result);
  void on_status(const SessionStatus& status);
  void on_error(const Error& error);
  void on_note(const QString& note);
  void show_place(const std::optional<Eigen::Vector3d>& point_in_world_m);
  void show_scene_words();
  void update_availability();
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
  void shuttle(int direction);
  void go_to(int64_t frame);
  void step(int64_t frames);
  void mark(std::optional<int64_t> MarkedRange::*end);
  void set_range(const MarkedRange& range);
  FrameRange frames_of_range() const;
  void show_about();

  WindowServices services_;
  WindowActions actions_;
  Project project_;
  SessionStatus status_;
  FrameResultRef result_;
  MarkedRange range_;
  double playback_rate_ = 1;
  bool opening_ = false, play_when_opened_ = false;
  int64_t frame_ = 0;  // the one last asked for or shown
  QStringList notes_;

  QStackedWidget* pages_ = nullptr;
  StartPage* start_page_ = nullptr;
  QWidget* workspace_ = nullptr;
  QSplitter* views_ = nullptr;
  CameraGrid* cameras_ = nullptr;
  SceneView* scene_ = nullptr;
  Transport* transport_ = nullptr;
  Timeline* timeline_ = nullptr;
  MessageBar* messages_ = nullptr;
  HeldKeys* held_ = nullptr;
  OverlayControl* overlays_ = nullptr;
  ParametersPanel* parameters_ = nullptr;
  TimingsPanel* timings_ = nullptr;
  LogPanel* log_ = nullptr;
  QDockWidget* parameters_dock_ = nullptr;
  QDockWidget* log_dock_ = nullptr;
  QToolBar* toolbar_ = nullptr;
  QLabel* place_label_ = nullptr;
  QLabel* volume_label_ = nullptr;
  QLabel* backend_label_ = nullptr;
  QLabel* activity_label_ = nullptr;
  QPushButton* stop_button_ = nullptr;
  QTimer save_timer_;
};

}  // namespace vantage::ui
