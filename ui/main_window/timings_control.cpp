#include "ui/main_window/timings_control.h"

#include "ui/panels/timings_panel.h"

namespace vantage::ui {

TimingsControl::TimingsControl(const WindowParts& parts)
    : Control(parts),
      dock_(add_action({"timings", "&Timings", "F8", "Show how long each stage takes", true},
                       {Menu::docks, "checks"})) {
  parts.timings->set_launches(parts.services.launches);
  connect(parts.timings, &TimingsPanel::work_requested, this, &TimingsControl::work_requested);
}

std::optional<Dock> TimingsControl::dock() const {
  return Dock{tr("Timings"), parts().timings, dock_};
}

void TimingsControl::refresh(Changes what) {
  if (what.testFlag(Change::status))
    parts().timings->set_running(state().live() || state().status().analysing);
  if (!what.testFlag(Change::project) || !state().open()) return;
  std::vector<std::string> cameras;
  for (const ProjectCamera& camera : project().cameras) cameras.push_back(camera.name);
  parts().timings->set_cameras(std::move(cameras));
}

}  // namespace vantage::ui
