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

void ParametersControl::show_parameter(const QString& key) {
  emit dock_wanted();
  panel_->search_for(key);
}

std::optional<Dock> ParametersControl::dock() const {
  return Dock{tr("Parameters"), panel_, dock_};
}

namespace {

// Voxel size and region are the project's, and searched for here.
QString scene_hint(const Project& project) {
  const Result<VoxelGrid> grid =
      project.calibrated() ? project.effective_grid() : Result<VoxelGrid>(fail(ErrorKind::not_found, "none"));
  if (!grid)
    return ParametersControl::tr("Voxel size and region belong to the project, once it is calibrated.");
  const double side = grid->voxel_size_m;
  return ParametersControl::tr(
             "Voxel size and region belong to the project: voxels of %1 cm, a region of %2 \u00d7 %3 \u00d7 "
             "%4 m. "
             "Shift+R edits the region; a new project chooses the voxel size (vantage-cli new --voxel-size).")
      .arg(100 * side, 0, 'g', 3)
      .arg(side * grid->nx, 0, 'f', 1)
      .arg(side * grid->ny, 0, 'f', 1)
      .arg(side * grid->nz, 0, 'f', 1);
}

}  // namespace

void ParametersControl::refresh(Changes what) {
  if (!what.testFlag(Change::project)) return;
  if (state().open() && state().project_change().recording)
    panel_->set_hint({"voxel", "region", "grid", "resolution"}, scene_hint(project()));
  state().open() ? panel_->set_parameters(project().parameters) : panel_->clear();
}

}  // namespace vantage::ui
