#include "ui/main_window/control.h"

namespace vantage::ui {

Control::Control(const WindowParts& parts) : QObject(parts.window), parts_(parts) {}

void Control::enable(QAction* action, bool available, const QString& why_not) const {
  set_available(action, state().open() && available, state().open() ? why_not : tr("Open a project first."));
}

}  // namespace vantage::ui
