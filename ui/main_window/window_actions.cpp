#include "ui/main_window/window_actions.h"

#include <QCoreApplication>
#include <QWidget>

namespace vantage::ui {
namespace {

QString action_text(const char* text) {
  return QCoreApplication::translate("WindowActions", text);
}

}  // namespace

QString tooltip_of(const QAction& action) {
  const QString tip = action.property("tip").toString();
  const QString key = action.shortcut().toString(QKeySequence::NativeText);
  return key.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, key);
}

void set_available(QAction* action, bool available, const QString& reason) {
  action->setEnabled(available);
  action->setToolTip(available ? tooltip_of(*action) : tooltip_of(*action) + QStringLiteral("\n") + reason);
}

QAction* make_action(const ActionSpec& spec, QObject* parent) {
  auto* action = new QAction(action_text(spec.text), parent);
  QList<QKeySequence> keys;
  for (const QString& key : QString(spec.keys).split(' ')) keys << QKeySequence(key);
  action->setObjectName(spec.name);
  action->setShortcuts(keys);
  action->setCheckable(spec.checkable);
  action->setAutoRepeat(false);
  action->setProperty("tip", action_text(spec.tip));
  action->setToolTip(tooltip_of(*action));
  if (spec.on_button) action->setIconText(action_text(spec.on_button));
  return action;
}

QAction* find_action(const QWidget& window, const char* name) {
  return window.findChild<QAction*>(QString::fromLatin1(name), Qt::FindDirectChildrenOnly);
}

}  // namespace vantage::ui
