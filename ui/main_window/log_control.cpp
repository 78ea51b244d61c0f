#include "ui/main_window/log_control.h"

#include "ui/panels/log_panel.h"

namespace vantage::ui {

LogControl::LogControl(const WindowParts& parts)
    : Control(parts),
      dock_(add_action({"log", "&Log", "F9", "Show the log", true}, {Menu::docks, "timings"})) {}

std::optional<Dock> LogControl::dock() const {
  return Dock{tr("Log"), parts().log, dock_};
}

}  // namespace vantage::ui
