#include "ui/main_window/window_docks.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QSettings>
#include <QTabBar>
#include <QToolButton>
#include <utility>

#include "ui/main_window/window_menus.h"
#include "ui/panels/checks_panel.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kDockWidth = 360;
constexpr int kStateVersion = 1;

}  // namespace

WindowDocks::WindowDocks(QMainWindow& window) : QObject(&window), window_(window) {
  window_.installEventFilter(this);
  window_.setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
  window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void WindowDocks::add(const Dock& added) {
  const bool right = added.place == DockArea::right;
  auto* dock = new QDockWidget(added.title);
  dock->setObjectName(added.action->objectName() + "_dock");
  dock->setAccessibleName(added.title);
  added.panel->setMinimumWidth(kDockWidth);
  dock->setWidget(added.panel);
  window_.addDockWidget(right ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea, dock);
  dock->hide();
  QDockWidget* before = std::exchange(right ? last_right_ : last_bottom_, dock);
  if (before) window_.tabifyDockWidget(before, dock);
  if (right) window_.resizeDocks({dock}, {kDockWidth}, Qt::Horizontal);
  // Behind another tab a panel is hidden, that its letters (Alt and one) are free for panels that are seen.
  QSizePolicy keeps_size = added.panel->sizePolicy();
  keeps_size.setRetainSizeWhenHidden(true);
  added.panel->setSizePolicy(keeps_size);
  connect(dock, &QDockWidget::visibilityChanged, added.panel, &QWidget::setVisible);
  connect(dock, &QDockWidget::visibilityChanged, added.action, &QAction::setChecked);
  // A dock behind another tab comes to the front; one in front closes.
  connect(added.action, &QAction::triggered, dock, [dock] {
    const bool in_front = dock->isVisible() && !dock->visibleRegion().isEmpty();
    dock->setVisible(!in_front);
    if (!in_front) dock->raise();
  });
}

// The bars of tabs are made by Qt when docks share an area.
bool WindowDocks::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ChildPolished)
    if (auto* tabs = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) {
      tabs->setElideMode(Qt::ElideNone);
      tabs->setUsesScrollButtons(true);
    }
  return QObject::eventFilter(watched, event);
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

namespace {

constexpr int kToolBarHeight = 40, kIcon = 18;

}  // namespace

WindowToolBar::WindowToolBar(const QWidget& window, QWidget* parent)
    : QToolBar(tr("Overlays"), parent),
      window_(window),
      top_(find_action(window, "top")),
      checks_(new ChecksButton(find_action(window, "checks"))) {
  for (const char* name : {"foreground", "people", "trails", "volume", "floor_map"})
    pictured_ << find_action(window, name);
  setObjectName("overlays_toolbar");
  setMovable(false);
  setFixedHeight(kToolBarHeight);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setIconSize({kIcon, kIcon});
  toggleViewAction()->setVisible(false);
  addActions(pictured_);
  for (QAction* action : pictured_) widgetForAction(action)->setProperty("group", true);
  addWidget(menu_button(
      tr("More"), tr("More overlays"), tr("More overlays"),
      {"heads", "detections", "heights", "cut", "cut_turn", "region", "coverage", "expected_error", "shapes",
       "box", "figure", "details", "flow", "flow_arrows", "people_style", "color_by_person"}));
  auto* room = new QWidget;
  room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(room);
  addAction(top_);
  addWidget(menu_button(tr("Layout"), tr("Layout"), tr("Divide the space between cameras and scene"),
                        {"layout_both", "layout_cameras", "layout_scene", "layout_height_map"}));
  auto* holder = new QWidget;  // a tool bar's own buttons all have its icon size; the mark is wider
  auto* held = new QHBoxLayout(holder);
  held->setContentsMargins(0, 0, 0, 0);
  held->addWidget(checks_);
  addWidget(holder);
  for (QToolButton* button : findChildren<QToolButton*>()) {
    button->setFocusPolicy(Qt::TabFocus);
    if (button->accessibleName().isEmpty()) button->setAccessibleName(button->text().remove('&'));
  }
  set_icons();
}

QWidget* WindowToolBar::menu_button(const QString& text, const QString& name, const QString& tip,
                                    std::initializer_list<const char*> actions) {
  auto* button = new QToolButton;
  button->setText(text + QStringLiteral(" \u25be"));
  describe(button, name, tip);
  button->setPopupMode(QToolButton::InstantPopup);
  for (const char* name : actions) button->addAction(find_action(window_, name));
  return button;
}

void WindowToolBar::set_icons() {
  for (QAction* action : pictured_) action->setIcon(themed_icon(action->objectName(), palette()));
  top_->setIcon(themed_icon("layout", palette()));
}

void WindowToolBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) set_icons();
  QToolBar::changeEvent(event);
}

// The width of all buttons with their text, whether it is shown now or not.
int WindowToolBar::width_with_text() const {
  int width = sizeHint().width();
  if (toolButtonStyle() == Qt::ToolButtonTextBesideIcon) return width;
  for (QAction* action : pictured_ + QList<QAction*>{top_})
    width += fontMetrics().horizontalAdvance(action->text().remove('&')) + kIcon / 2;
  return width;
}

void WindowToolBar::resizeEvent(QResizeEvent* event) {
  setToolButtonStyle(width() < width_with_text() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  QToolBar::resizeEvent(event);
}

}  // namespace vantage::ui
