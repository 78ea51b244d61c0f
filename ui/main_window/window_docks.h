// The docks: every control's panel in its place, with the action that shows it, and the layouts by task, each
// of a few docks.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QToolBar>
#include <array>
#include <initializer_list>
#include <optional>

#include "ui/main_window/control.h"

class QDockWidget;
class QMainWindow;
class QSettings;
class QToolButton;

namespace vantage::ui {

enum class Task : uint8_t { review, tune, calibrate, live };
inline constexpr size_t kTasks = 4;
// The command that chooses the layout, by Task.
inline constexpr std::array<const char*, kTasks> kTaskActions = {"layout_review", "layout_tune",
                                                                 "layout_calibrate", "layout_live"};

class WindowDocks final : public QObject {
  Q_OBJECT
 public:
  explicit WindowDocks(QMainWindow& window);  // which owns this

  // Behind those that share its area, as a tab.
  void add(const Dock& dock);
  void bring_up(QWidget* panel);  // shows its dock, in front of those it shares an area with
  // The docks of a task, as people arranged them there; nothing: those that were opened without a task.
  void choose(std::optional<Task> task);
  void reset();  // the task's own docks, each in its first position; without a task none
  // Aside: none is shown, until they come back as they were.
  void set_aside(bool aside);
  void restore(const QSettings& settings);
  void save(QSettings& settings) const;
  bool eventFilter(QObject* watched, QEvent* event) override;

 signals:
  void task_chosen(std::optional<vantage::ui::Task> task);

 private:
  QByteArray arrangement() const;  // of the present task
  QByteArray& kept() { return kept_[task_ ? static_cast<size_t>(*task_) : kTasks]; }
  bool put(const QByteArray& arrangement);

  QMainWindow& window_;
  QDockWidget *last_right_ = nullptr, *last_bottom_ = nullptr;
  std::optional<Task> task_;
  std::array<QByteArray, kTasks + 1> kept_;  // arrangements by task; the last: without one
  QByteArray first_;                         // all docks in their first positions, none shown
  QByteArray aside_;  // the window's state to return to; empty: the docks are where people put them
};

// The bar above the views, of which nothing moves: tasks, overlays, views, and how many checks need
// attention.

class ChecksButton;

class WindowToolBar final : public QToolBar {
  Q_OBJECT
 public:
  // Once every action of `window` is there: the bar finds them by their names.
  explicit WindowToolBar(const QWidget& window, QWidget* parent = nullptr);

  ChecksButton* checks() const { return checks_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QToolButton* menu_button(const QString& text, const QString& name, const QString& tip,
                           std::initializer_list<const char*> actions);
  void add_group(const QList<QAction*>& actions, Qt::ToolButtonStyle style, QWidget* last);
  void set_icons();

  const QWidget& window_;
  QList<QAction*> pictured_;  // have an icon, named as it
  QToolButton* more_;
  ChecksButton* checks_;
};

}  // namespace vantage::ui
