#include "ui/main_window/parameters_control.h"

#include "ui/panels/height_map_panel.h"
#include "ui/panels/parameters_panel.h"

namespace vantage::ui {

ParametersControl::ParametersControl(const WindowParts& parts)
    : Control(parts),
      dock_(add_action({"parameters", "&Parameters", "F6", "Show the parameters", true},
                       {Menu::docks, "trackers_dock"})),
      panel_(new ParametersPanel) {
  connect_editing(panel_);
  connect_editing(parts.height_map);
}

template <typename Panel>
void ParametersControl::connect_editing(Panel* panel) {
  connect(panel, &Panel::edited, this,
          [this](const std::string& stage, const std::string& name, double value) {
            post(command::SetParameter{stage, name, value});
          });
  connect(panel, &Panel::reset_requested, this, [this](const std::string& stage, const std::string& name) {
    post(command::SetParameter{stage, name, std::nullopt});
  });
}

std::optional<Dock> ParametersControl::dock() const {
  return Dock{tr("Parameters"), panel_, dock_};
}

void ParametersControl::refresh(Changes what) {
  if (!what.testFlag(Change::project)) return;
  state().open() ? panel_->set_parameters(project().parameters) : panel_->clear();
}

}  // namespace vantage::ui
