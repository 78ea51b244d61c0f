#include "ui/main_window/window_docks.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>
#include <utility>

namespace vantage::ui {
namespace {

constexpr int kDockWidth = 360, kMinDockWidth = 240;
constexpr int kStateVersion = 1;

}  // namespace

WindowDocks::WindowDocks(QMainWindow& window) : QObject(&window), window_(window) {
  window_.setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
  window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void WindowDocks::add(const Dock& added) {
  const bool right = added.place == DockArea::right;
  auto* dock = new QDockWidget(added.title);
  dock->setObjectName(added.action->objectName() + "_dock");
  dock->setAccessibleName(added.title);
  added.panel->setMinimumWidth(kMinDockWidth);
  dock->setWidget(added.panel);
  window_.addDockWidget(right ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea, dock);
  dock->hide();
  QDockWidget* before = std::exchange(right ? last_right_ : last_bottom_, dock);
  if (before) window_.tabifyDockWidget(before, dock);
  if (right) window_.resizeDocks({dock}, {kDockWidth}, Qt::Horizontal);
  connect(dock, &QDockWidget::visibilityChanged, added.action, &QAction::setChecked);
  // A dock behind another tab comes to the front; one in front closes.
  connect(added.action, &QAction::triggered, dock, [dock] {
    const bool in_front = dock->isVisible() && !dock->visibleRegion().isEmpty();
    dock->setVisible(!in_front);
    if (!in_front) dock->raise();
  });
}

void WindowDocks::bring_up(QWidget* panel) {
  QWidget* dock = panel->parentWidget();
  dock->show();
  dock->raise();
}

void WindowDocks::set_aside(bool aside) {
  if (aside == !aside_.isEmpty()) return;
  if (aside) {
    aside_ = window_.saveState(kStateVersion);
    for (QDockWidget* dock : window_.findChildren<QDockWidget*>()) dock->hide();
  } else {
    window_.restoreState(std::exchange(aside_, {}), kStateVersion);
  }
}

void WindowDocks::restore(const QSettings& settings) {
  window_.restoreState(settings.value("state").toByteArray(), kStateVersion);
}

void WindowDocks::save(QSettings& settings) const {
  settings.setValue("state", aside_.isEmpty() ? window_.saveState(kStateVersion) : aside_);
}

}  // namespace vantage::ui
