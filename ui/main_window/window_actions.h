// Commands of the window: text, keys, what each does. Every control adds its own (Control::add_action()), the
// window those that are about itself and the project's file; WindowMenus makes them. A command that cannot be
// given now is disabled and says why in its tooltip.
#pragma once

#include <QAction>

class QWidget;

namespace vantage::ui {

struct ActionSpec {
  const char* name;
  const char* text;
  const char* keys;  // separated by a space; the first is shown
  const char* tip;
  bool checkable = false;
  const char* on_button = nullptr;  // null: the text
};

// Belongs to `parent`. Its keys act in the whole window, but where what has the focus needs them
// (focus_keys.h).
QAction* make_action(const ActionSpec& spec, QObject* parent);
// Null: the window has none of this name.
QAction* find_action(const QWidget& window, const char* name);

// Enabled, or disabled with the reason ("Open a project first.") in the tooltip.
void set_available(QAction* action, bool available, const QString& reason);
// "Play (Space)": what the tooltip shows while the action is enabled.
QString tooltip_of(const QAction& action);

}  // namespace vantage::ui
