// The docks: every control's panel in its place, with the action that shows it.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QToolBar>
#include <initializer_list>

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
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QMainWindow& window_;
  QDockWidget *last_right_ = nullptr, *last_bottom_ = nullptr;
  QByteArray aside_;  // the window's state to return to; empty: the docks are where people put them
};

// The bar above the views: overlays, layouts, and how many checks need attention.
// In a narrow window the buttons with a picture leave their text to their tooltips.

class ChecksButton;

class WindowToolBar final : public QToolBar {
  Q_OBJECT
 public:
  // Once every action of `window` is there: the bar finds them by their names.
  explicit WindowToolBar(const QWidget& window, QWidget* parent = nullptr);

  ChecksButton* checks() const { return checks_; }

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* menu_button(const QString& text, const QString& name, const QString& tip,
                       std::initializer_list<const char*> actions);
  void set_icons();
  int width_with_text() const;

  const QWidget& window_;
  QList<QAction*> pictured_;  // have an icon, named as it
  QAction* top_;
  ChecksButton* checks_;
};

}  // namespace vantage::ui
