#include "ui/main_window/window_docks.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QSettings>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/main_window/window_menus.h"
#include "ui/panels/checks_panel.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kDockWidth = 360;
constexpr int kLanesShare = 6;  // of the window's height what is below the pictures takes one part
constexpr int kStateVersion = 1;

// Docks by the names of the actions that show them, the one in front first; as many as have their whole names
// on tabs at this width.
constexpr std::array<std::initializer_list<const char*>, kTasks> kDocksOf = {{
    {"events", "find", "doubts_dock", "people_dock"},
    {"parameters", "variants_dock", "why_dock"},
    {"calibrate", "checks", "synchronisation"},
    {"health", "events", "floor_dock"},
}};
constexpr std::array<const char*, kTasks + 1> kStateKeys = {"state_review", "state_tune", "state_calibrate",
                                                            "state_live", "state"};

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

QByteArray WindowDocks::arrangement() const {
  return aside_.isEmpty() ? window_.saveState(kStateVersion) : aside_;
}

// The tool bar comes and goes with the page, not with the docks.
bool WindowDocks::put(const QByteArray& arrangement) {
  auto* bar = window_.findChild<QToolBar*>(QString(), Qt::FindDirectChildrenOnly);
  const bool hidden = bar && bar->isHidden();
  const bool done = window_.restoreState(arrangement, kStateVersion);
  if (bar) bar->setHidden(hidden);
  return done;
}

void WindowDocks::choose(std::optional<Task> task) {
  if (aside_.isEmpty() && task != task_) {
    kept() = arrangement();
    task_ = task;
    if (kept().isEmpty() || !put(kept())) reset();
  }
  emit task_chosen(task_);
}

void WindowDocks::reset() {
  put(first_);
  if (!task_) return;
  QDockWidget* front = nullptr;
  for (const char* name : kDocksOf[static_cast<size_t>(*task_)]) {
    if (!find_action(window_, name)->isVisible()) continue;  // this program has none
    auto* dock = window_.findChild<QDockWidget*>(QString(name) + "_dock");
    dock->show();
    if (!front) front = dock;
    if (window_.dockWidgetArea(dock) == Qt::BottomDockWidgetArea)
      window_.resizeDocks({dock}, {window_.height() / kLanesShare}, Qt::Vertical);
  }
  if (!front) return;
  window_.resizeDocks({front}, {kDockWidth}, Qt::Horizontal);
  front->raise();
}

void WindowDocks::set_aside(bool aside) {
  if (aside == !aside_.isEmpty()) return;
  if (aside) {
    aside_ = window_.saveState(kStateVersion);
    for (QDockWidget* dock : window_.findChildren<QDockWidget*>()) dock->hide();
  } else {
    put(std::exchange(aside_, {}));
  }
}

void WindowDocks::restore(const QSettings& settings) {
  if (first_.isEmpty()) first_ = window_.saveState(kStateVersion);
  for (size_t i = 0; i < kept_.size(); ++i) kept_[i] = settings.value(kStateKeys[i]).toByteArray();
  const QString name = settings.value("task").toString();
  const auto known = std::find(kTaskActions.begin(), kTaskActions.end(), name);
  task_ = known == kTaskActions.end() ? std::nullopt
                                      : std::optional(static_cast<Task>(known - kTaskActions.begin()));
  const bool aside = !aside_.isEmpty();
  aside_.clear();
  if (kept().isEmpty() || !put(kept())) reset();
  set_aside(aside);
  emit task_chosen(task_);
}

void WindowDocks::save(QSettings& settings) const {
  for (size_t i = 0; i < kept_.size(); ++i) {
    const bool now = i == (task_ ? static_cast<size_t>(*task_) : kTasks);
    const QByteArray state = now ? arrangement() : kept_[i];
    if (!state.isEmpty()) settings.setValue(kStateKeys[i], state);
  }
  settings.setValue("task", task_ ? kTaskActions[static_cast<size_t>(*task_)] : "");
}

namespace {

constexpr int kToolBarHeight = 40, kIcon = 18, kMarkRoom = 64;

}  // namespace

WindowToolBar::WindowToolBar(const QWidget& window, QWidget* parent)
    : QToolBar(tr("Overlays"), parent),
      window_(window),
      more_(menu_button(
          {}, tr("More overlays"), tr("More overlays"),
          {"heads", "detections", "heights", "cut", "cut_turn", "region", "coverage", "expected_error",
           "shapes", "box", "figure", "details", "flow", "flow_arrows", "people_style", "color_by_person"})),
      checks_(new ChecksButton(find_action(window, "checks"))) {
  setObjectName("overlays_toolbar");
  setMovable(false);
  setFixedHeight(kToolBarHeight);
  setToolButtonStyle(Qt::ToolButtonTextOnly);
  setIconSize({kIcon, kIcon});
  toggleViewAction()->setVisible(false);
  QList<QAction*> tasks;
  for (const char* name : kTaskActions) tasks << find_action(window, name);
  add_group(tasks, Qt::ToolButtonTextOnly, nullptr);
  auto* gap = new QWidget;
  gap->setFixedWidth(kWide);
  addWidget(gap);
  for (const char* name : {"foreground", "people", "trails", "volume", "floor_map"})
    pictured_ << find_action(window, name);
  add_group(pictured_, Qt::ToolButtonIconOnly, more_);
  auto* room = new QWidget;
  room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(room);
  addAction(find_action(window, "top"));
  addWidget(menu_button(tr("Views") + QStringLiteral(" \u25be"), tr("Views"),
                        tr("Divide the space between cameras and scene"),
                        {"layout_both", "layout_cameras", "layout_scene", "layout_height_map"}));
  auto* holder = new QWidget;  // a tool bar's own buttons all have its icon size; the mark is wider
  auto* held = new QHBoxLayout(holder);
  held->setContentsMargins(0, 0, 0, 0);
  held->addWidget(checks_);
  addWidget(holder);
  checks_->setMinimumWidth(checks_->sizeHint().width() + kMarkRoom);  // else what is before it would move
  for (QToolButton* button : findChildren<QToolButton*>()) {
    button->setFocusPolicy(Qt::TabFocus);
    if (button->accessibleName().isEmpty()) button->setAccessibleName(button->text().remove('&'));
  }
  set_icons();
}

QToolButton* WindowToolBar::menu_button(const QString& text, const QString& name, const QString& tip,
                                        std::initializer_list<const char*> actions) {
  auto* button = new QToolButton;
  button->setText(text);
  describe(button, name, tip);
  button->setPopupMode(QToolButton::InstantPopup);
  for (const char* name : actions) button->addAction(find_action(window_, name));
  return button;
}

// Side by side in one frame.
void WindowToolBar::add_group(const QList<QAction*>& actions, Qt::ToolButtonStyle style, QWidget* last) {
  addActions(actions);
  if (last) addWidget(last);
  for (QAction* action : actions) {
    auto* button = static_cast<QToolButton*>(widgetForAction(action));
    button->setToolButtonStyle(style);
    button->setProperty("group", true);
    button->setProperty("task", style == Qt::ToolButtonTextOnly);
  }
  if (last) last->setProperty("group", true);
  (last ? last : widgetForAction(actions.back()))->setProperty("last", true);
}

void WindowToolBar::set_icons() {
  for (QAction* action : pictured_) action->setIcon(themed_icon(action->objectName(), palette()));
  more_->setIcon(themed_icon("more", palette()));
}

void WindowToolBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) set_icons();
  QToolBar::changeEvent(event);
}

}  // namespace vantage::ui
