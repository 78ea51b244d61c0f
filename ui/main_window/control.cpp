#include "ui/main_window/control.h"

#include "ui/widgets/message_bar.h"

namespace vantage::ui {

Control::Control(const WindowParts& parts) : QObject(parts.window), parts_(parts) {}

void Control::enable(QAction* action, bool available, const QString& why_not) const {
  set_available(action, state().open() && available, state().open() ? why_not : tr("Open a project first."));
}

bool Control::refuses_click(int camera) const {
  const ProjectCamera& clicked = project().cameras.at(static_cast<size_t>(camera));
  const int64_t frame = state().shown() ? state().shown()->result->frame : 0;
  if (clicked.later_calibrations.empty() || frame < clicked.later_calibrations.front().from_frame)
    return false;
  parts().messages->post({Severity::doubtful,
                          tr("%1 has another pose from frame %2 on: click its picture in an earlier frame.")
                              .arg(QString::fromStdString(clicked.name))
                              .arg(clicked.later_calibrations.front().from_frame),
                          {},
                          {}});
  return true;
}

}  // namespace vantage::ui
