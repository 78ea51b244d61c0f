#include "ui/main_window/window_tool_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/panels/checks_button.h"
#include "ui/widgets/icons.h"

namespace vantage::ui {
namespace {

constexpr int kHeight = 40, kIcon = 18;

}  // namespace

WindowToolBar::WindowToolBar(const WindowActions& actions, QWidget* parent)
    : QToolBar(tr("Overlays"), parent), top_(actions.top), checks_(new ChecksButton(actions.checks)) {
  const auto& a = actions;
  pictured_ = {a.foreground, a.people, a.trails, a.volume, a.floor_map};
  setObjectName("overlays_toolbar");
  setMovable(false);
  setFixedHeight(kHeight);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setIconSize({kIcon, kIcon});
  toggleViewAction()->setVisible(false);
  addActions(pictured_);
  addWidget(
      menu_button(tr("More"), tr("More overlays"), tr("More overlays"),
                  {a.heads, a.detections, a.heights, a.cut, a.cut_turn, a.region, a.coverage, a.shapes, a.box,
                   a.figure, a.details, a.flow, a.flow_arrows, a.people_style, a.color_by_person}));
  auto* room = new QWidget;
  room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(room);
  addAction(top_);
  addWidget(menu_button(tr("Layout"), tr("Layout"), tr("Divide the space between cameras and scene"),
                        {a.layout_both, a.layout_cameras, a.layout_scene, a.layout_height_map}));
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
                                    const QList<QAction*>& actions) {
  auto* button = new QToolButton;
  button->setText(text + QStringLiteral(" \u25be"));
  button->setToolTip(tip);
  button->setAccessibleName(name);
  button->setPopupMode(QToolButton::InstantPopup);
  button->addActions(actions);
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

// Of all buttons, whether their words are shown now or not.
int WindowToolBar::width_with_words() const {
  int width = sizeHint().width();
  if (toolButtonStyle() == Qt::ToolButtonTextBesideIcon) return width;
  for (QAction* action : pictured_ + QList<QAction*>{top_})
    width += fontMetrics().horizontalAdvance(action->text().remove('&')) + kIcon / 2;
  return width;
}

void WindowToolBar::resizeEvent(QResizeEvent* event) {
  setToolButtonStyle(width() < width_with_words() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  QToolBar::resizeEvent(event);
}

}  // namespace vantage::ui
