// The window: start page or views, transport, timeline, docks, menus and the message bar. It drives a
// Session, keeps what comes back through a SessionBridge in its WindowState, and has its controls show it; it
// computes nothing and waits for nothing.
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "ui/main_window/control.h"
#include "ui/main_window/preferences_dialog.h"
#include "ui/main_window/window_state.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"

class QStackedWidget;

namespace vantage::ui {

class NewProjectPage;
class StartPage;
class WindowDocks;

class MainWindow final : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(WindowServices services, QWidget* parent = nullptr);
  ~MainWindow() override;

  void open_project(const QString& file);
  void choose_theme(Theme theme);
  void apply_preferences(const Preferences& preferences);
  // Opens files that were dropped on the window: a project, or videos and calibrations of a new one.
  void open_files(const QStringList& paths);
  // Asked for on the command line, but a run before ended early with it: it is offered instead.
  bool withheld(const QString& file) const;
  // Opens, plays and analyses while playing, under one line of help.
  void open_demonstration(const QString& file);

  // A command, of the window or of a control; null: there is none of this name.
  QAction* action(const char* name) const { return find_action(*this, name); }
  const WindowState& state() const { return state_; }
  Workspace* workspace() const { return parts_.workspace; }
  MessageBar* messages() const { return messages_; }
  NewProjectPage* new_project_page() const { return new_page_; }
  // A control or a panel, of which there is one of each type.
  template <typename Part>
  Part* part() const {
    return findChild<Part*>();
  }
  bool shows_start_page() const;
  // This window again, shown, in the language that is preferred now: with the open project as it is in the
  // session, its frame, range and history, and the layout. What panels found out (checks, comparisons, what
  // was searched for) is to be asked for again. This window can only be deleted then.
  std::unique_ptr<MainWindow> made_again();

 signals:
  void language_chosen();  // to be made again

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  // main_window.cpp: how it is put together
  WindowParts make_parts();
  void build_pages();
  void connect_controls();
  void adopt(Control* control);
  void restore_window();
  void restore_look(const char* group);
  void save_window();
  // main_window_commands.cpp: what the session reports
  void connect_session();
  void on_changed(Changes what);
  void on_status(const SessionStatus& status);
  void on_error(const Error& error);
  void post_failure(const QString& message);
  void offer_cpu(const QString& message);
  void go_on_without_device();
  void on_note(const QString& note);
  void show_volume();
  QString opening_text() const;
  void show_activity();
  void update_work();
  void update_availability();
  void update_title();
  // main_window_commands.cpp: what people ask for
  void add_project_commands();
  void add_window_commands();
  void add_layouts();
  void choose_preferences();
  void take_language();
  void find_command();
  void ask_for_project();
  void start_opening(const QString& file);
  bool save();
  bool save_as();
  bool may_leave_project();  // asks about a recording and about unsaved work
  bool may_end_recording();
  void close_project();
  void stop();
  void on_step(const RepeatedStep& step);
  void show_about();
  // main_window_commands.cpp: start page, new project, workspace
  void connect_pages();
  void show_page(QWidget* page);
  void show_start_page();
  void show_workspace();
  void show_new_project(const QStringList& files);
  void leave_new_project();
  void keep_thumbnail();
  void post(SessionCommand command) { services_.session->post(std::move(command)); }

  // The commands that are about the window itself and the project's file.
  template <typename Command>
  QAction* add_action(const ActionSpec& spec, const MenuPosition& place, Command command) {
    QAction* action = menus_->add(spec, place);
    connect(action, &QAction::triggered, this, command);
    return action;
  }
  struct Actions {
    QAction *new_project, *open, *demonstration, *save, *save_as, *close, *undo, *redo, *stop;
    std::array<QAction*, 3> themes;  // by Theme
    std::vector<QAction*> layouts;   // by Task, then Reset Layout
  };

  WindowServices services_;
  Actions actions_ = {};
  WindowState state_;
  std::optional<bool> on_cpu_;  // the chain; nothing: not said yet
  QString device_failure_;      // the message that offers the CPU
  bool demonstration_open_ = false, play_when_opened_ = false;

  QStackedWidget* pages_ = nullptr;
  StartPage* start_page_ = nullptr;
  NewProjectPage* new_page_ = nullptr;
  MessageBar* messages_ = nullptr;
  WindowMenus* menus_ = nullptr;
  WindowDocks* docks_ = nullptr;
  WindowParts parts_;
  std::vector<Control*> controls_;
  QTimer save_timer_;
};

}  // namespace vantage::ui
