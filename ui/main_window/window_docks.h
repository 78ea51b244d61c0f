// The docks: every control's panel in its place, with the action that shows it.
#pragma once

#include <QByteArray>
#include <QObject>

#include "ui/main_window/control.h"

class QDockWidget;
class QMainWindow;
class QSettings;

namespace vantage::ui {

class WindowDocks final : public QObject {
  Q_OBJECT
 public:
  explicit WindowDocks(QMainWindow& window);  // which owns this

  // Behind those that share its area, as a tab.
  void add(const Dock& dock);
  void bring_up(QWidget* panel);  // shows its dock, in front of those it shares an area with
  // Aside: none is shown, until they come back as they were.
  void set_aside(bool aside);
  void restore(const QSettings& settings);
  void save(QSettings& settings) const;

 private:
  QMainWindow& window_;
  QDockWidget *last_right_ = nullptr, *last_bottom_ = nullptr;
  QByteArray aside_;  // the window's state to return to; empty: the docks are where people put them
};

}  // namespace vantage::ui
