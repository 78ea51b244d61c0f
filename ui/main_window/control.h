// The base of everything in the window that does something with the open project: a panel with its dock and
// actions, or a task without one. The window makes all of them from one list (controls.cpp) and tells each
// what has changed.
#pragma once

#include <QObject>
#include <functional>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/session/session.h"
#include "ui/main_window/window_menus.h"
#include "ui/main_window/window_state.h"
#include "ui/platform/session_bridge.h"

class QSettings;

namespace vantage::ui {

class CalibratePanel;
class CameraGrid;
class FloorControl;
class HeightMapPanel;
class HeldKeys;
class LogPanel;
class MessageBar;
class OverlayControl;
class PeopleControl;
class PlaybackControl;
class Proposal;
class SceneView;
class StatusLine;
class Timeline;
class TimingsPanel;
class Transport;
class WindowToolBar;
class Workspace;
struct Preferences;

// The parts of the window that controls use; all of them outlive the controls.
struct WindowParts {
  QWidget* window;  // the parent of dialogs
  const WindowServices& services;
  const WindowState& state;
  WindowMenus* menus;
  MessageBar* messages;
  StatusLine* status_line;
  Workspace* workspace;
  CameraGrid* cameras;
  SceneView* scene;
  HeightMapPanel* height_map;
  Timeline* timeline;
  Transport* transport;
  HeldKeys* held;
  LogPanel* log;
  TimingsPanel* timings;
  Proposal* proposal;                   // of another calibration, by whatever solves cameras
  CalibratePanel* calibrate = nullptr;  // the dock to which other controls add pages
  WindowToolBar* tool_bar = nullptr;    // made of the controls' actions, after them
  // Controls that others ask.
  FloorControl* floor = nullptr;
  OverlayControl* overlays = nullptr;
  PeopleControl* people = nullptr;
  PlaybackControl* playback = nullptr;
};

enum class DockArea : uint8_t {
  right,   // next to the views, in tabs
  bottom,  // under the timeline, whose times its lanes share
};

// A control's panel and where it is shown; `action` shows and hides it.
struct Dock {
  QString title;
  QWidget* panel = nullptr;
  QAction* action = nullptr;
  DockArea place = DockArea::right;
};

class Control : public QObject {
  Q_OBJECT
 public:
  explicit Control(const WindowParts& parts);  // belongs to the window

  // The project that was open is closed, or another one will be opened: what is known of it goes. The state
  // holds none. refresh() follows.
  virtual void forget() {}
  // Shows a change, which is read from the state.
  virtual void refresh(Changes) {}
  // Enables the actions that can be given now; the others say why they cannot.
  virtual void update_availability();
  // Another control's mouse tool begins, or something else that this one's cannot go with: it ends.
  virtual void end_tool() {}

  // Takes the program's preferences: at the start, and whenever they change.
  virtual void apply(const Preferences&) {}
  virtual void restore(const QSettings& settings);  // the switches that are kept, first of all
  virtual void save(QSettings& settings) const;

  // While it keeps analyses and other work from starting; running_changed() says when that changes.
  virtual std::optional<RunningWork> running() const { return std::nullopt; }
  // There is something that Stop ends.
  virtual bool stoppable() const { return running().has_value(); }
  virtual void stop() {}

  const std::optional<Dock>& dock() const { return dock_; }

 signals:
  void running_changed();
  void availability_changed();  // of actions that are not its own: Stop
  void dock_wanted();           // there is something to look at
  void tool_begun();            // by mouse, which ends those of other controls
  void seek_requested(qint64 frame);
  // Off the GUI thread, with what to say when it is done.
  void work_requested(const std::function<Status()>& work, const QString& done);
  void failed(const vantage::Error& error);
  void open_requested(const QString& file);

 protected:
  const WindowParts& parts() const { return parts_; }
  const WindowState& state() const { return parts_.state; }
  const Project& project() const { return state().project(); }
  void post(SessionCommand command) const { parts_.services.session->post(std::move(command)); }
  // A function of the history, which outlives a window that is made again: `act` gets the control of this
  // type that there is when it is called.
  template <typename Made, typename Act>
  std::function<void()> on_present(Act act) const {
    return [bridge = parts_.services.bridge, act = std::move(act)] {
      if (QObject* window = bridge->window())
        if (auto* now = window->findChild<Made*>()) act(*now);
    };
  }
  // The reason why an action cannot be given now, as a sentence; empty: it can.
  using WhyNot = std::function<QString()>;
  // A command of this control: its words and keys, its position in the menus, what it does, and why it cannot
  // be given. Without `why_not` it always can, with one only while a project is open.
  template <typename Command = std::nullptr_t>
  QAction* add_action(const ActionSpec& spec, const MenuPosition& place, Command command = nullptr,
                      WhyNot why_not = nullptr) {
    QAction* action = parts_.menus->add(spec, place);
    if constexpr (!std::is_null_pointer_v<Command>) connect(action, &QAction::triggered, this, command);
    if (why_not) rules_.push_back({action, std::move(why_not)});
    return action;
  }
  // One that is on or off; `changed` is called whatever switches it.
  template <typename Changed>
  QAction* add_switch(ActionSpec spec, const MenuPosition& place, Changed changed, WhyNot why_not = nullptr) {
    spec.checkable = true;
    QAction* action = add_action(spec, place, nullptr, std::move(why_not));
    connect(action, &QAction::toggled, this, changed);
    return action;
  }
  // Its position is kept in the settings under `key`; `on` where they have none.
  void keep_switch(QAction* action, const char* key, bool on) { kept_.push_back({action, key, on}); }
  // The panel, and the switch that shows it, below the one named `after` in the menu of docks.
  QAction* add_dock(ActionSpec spec, const char* after, const QString& title, QWidget* panel,
                    DockArea area = DockArea::right);
  bool dock_shown() const { return dock_->action->isChecked(); }
  // For actions that need an open project and nothing else.
  static QString needs_project() { return {}; }
  struct Need {
    bool met;
    QString otherwise;  // said then
  };
  // The reason of the first need that is not met; empty: all are.
  static QString unmet(std::initializer_list<Need> needs);
  Need idle() const { return {!state().busy(), state().why_busy()}; }
  // A command of the window or, once all controls are made, of another control; null: there is none.
  QAction* action(const char* name) const { return find_action(*parts_.window, name); }
  // A click in a camera's picture would be measured by a calibration that does not hold at the frame shown
  // (clicks keep no time): says so.
  bool refuses_click(int camera) const;

 private:
  struct Rule {
    QAction* action;
    WhyNot why_not;
  };
  struct KeptSwitch {
    QAction* action;
    const char* key;
    bool on;
  };
  const WindowParts& parts_;
  std::vector<Rule> rules_;
  std::vector<KeptSwitch> kept_;
  std::optional<Dock> dock_;
};

}  // namespace vantage::ui
