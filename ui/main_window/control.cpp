#include "ui/main_window/control.h"

#include "ui/main_window/workspace.h"

namespace vantage::ui {

Control::Control(const WindowParts& parts) : QObject(parts.window), parts_(parts) {}

QAction* Control::add_action(const ActionSpec& spec, const MenuPlace& place) {
  QAction* action = ui::add_action(parts_.actions, spec, parts_.window);
  if (action->shortcutContext() == Qt::WidgetWithChildrenShortcut) parts_.workspace->addAction(action);
  parts_.menus->add(action, place);
  return action;
}

void Control::enable(QAction* action, bool available, const QString& why_not) const {
  set_available(action, state().open() && available, state().open() ? why_not : tr("Open a project first."));
}

}  // namespace vantage::ui
