#include "ui/main_window/control.h"

#include <QSettings>

#include "ui/widgets/message_bar.h"

namespace vantage::ui {

Control::Control(const WindowParts& parts) : QObject(parts.window), parts_(parts) {}

void Control::update_availability() {
  for (const Rule& rule : rules_) {
    const QString why_not = state().open() ? rule.why_not() : tr("Open a project first.");
    set_available(rule.action, why_not.isEmpty(), why_not);
  }
}

QAction* Control::add_dock(ActionSpec spec, const char* after, const QString& title, QWidget* panel,
                           DockArea area) {
  spec.checkable = true;
  dock_ = Dock{title, panel, add_action(spec, {Menu::docks, after}), area};
  return dock_->action;
}

QString Control::unmet(std::initializer_list<Need> needs) {
  for (const Need& need : needs)
    if (!need.met) return need.otherwise;
  return {};
}

// Also where nothing changes: views have their own start.
void Control::restore(const QSettings& settings) {
  for (const auto& [action, key, on] : kept_) {
    const bool before = action->isChecked();
    action->setChecked(settings.value(key, on).toBool());
    if (action->isChecked() == before) emit action->toggled(before);
  }
}

void Control::save(QSettings& settings) const {
  for (const auto& [action, key, on] : kept_) settings.setValue(key, action->isChecked());
}

bool Control::refuses_click(int camera) const {
  const ProjectCamera& clicked = project().cameras.at(camera);
  const int64_t frame = state().shown() ? state().shown()->result->frame : 0;
  if (clicked.later_calibrations.empty() || frame < clicked.later_calibrations.front().from_frame)
    return false;
  parts().messages->post(
      {Severity::doubtful, tr("%1 has another pose from frame %2 on: click its picture in an earlier frame.")
                               .arg(QString::fromStdString(clicked.name))
                               .arg(clicked.later_calibrations.front().from_frame)});
  return true;
}

}  // namespace vantage::ui
