#include "ui/main_window/floor_error/floor_error_control.h"

#include <QSettings>
#include <memory>
#include <utility>

#include "ui/main_window/calibrate/calibrate_control.h"
#include "ui/main_window/floor_error/floor_error_layer.h"
#include "ui/main_window/overlay_control.h"

namespace vantage::ui {

FloorErrorControl::FloorErrorControl(const WindowParts& parts)
    : Control(parts),
      shown_(add_action({"expected_error", "E&xpected Error", "Shift+E",
                         "Show the expected error of positions on the floor: the standard deviation, in "
                         "centimetres, if all cameras that see a position triangulate it, at 1 px of noise "
                         "and with the deviations of poses that were solved since the project was opened",
                         true},
                        {Menu::overlays, "coverage"})),
      calibrate_(parts.window->findChild<CalibrateControl*>()) {
  connect(shown_, &QAction::toggled, this, &FloorErrorControl::show);
}

void FloorErrorControl::forget() {
  job_.stop();
  span_begin_ = 0;
  parts().overlays->set_floor_layer({});
}

void FloorErrorControl::refresh(Changes what) {
  if (!state().open()) return;
  const ProjectChange& change = state().project_change();
  const bool other = what.testFlag(Change::project) &&
                     (what.testFlag(Change::other_project) || change.recording || change.parameters);
  const bool jumped = what.testFlag(Change::frame) && span_begin() != span_begin_;
  if (other || jumped) show();
}

void FloorErrorControl::update_availability() {
  enable(shown_, project().calibrated(), tr("The expected error needs a calibration."));
}

void FloorErrorControl::restore(const QSettings& settings) {
  shown_->setChecked(settings.value(shown_->objectName(), false).toBool());
}

void FloorErrorControl::save(QSettings& settings) const {
  settings.setValue(shown_->objectName(), shown_->isChecked());
}

// The frame set from which on the cameras stand as they do at the one that is shown.
int64_t FloorErrorControl::span_begin() const {
  const int64_t frame = state().shown() ? state().shown()->result->frame : 0;
  int64_t begin = 0;
  for (const int64_t change : project().calibration_changes())
    if (change <= frame) begin = change;
  return begin;
}

void FloorErrorControl::show() {
  job_.stop();
  if (!shown_->isChecked() || !state().open() || !project().calibrated())
    return parts().overlays->set_floor_layer({});
  span_begin_ = span_begin();
  const std::span<const SolvedTogether> known = calibrate_->known_poses().solved();
  job_.start([this, project = project(), frame = span_begin_,
              solved = std::vector<SolvedTogether>(known.begin(), known.end())](
                 const StopSource& stop) -> BackgroundJob::Deliver {
    FloorLayer layer;
    if (const Result<VoxelGrid> grid = project.effective_grid()) {
      const auto cameras = std::make_shared<const FloorErrorCameras>(
          floor_error_cameras(project.named_calibrations(frame), solved));
      Result<FloorErrorMap> found = floor_error(cameras->cameras, *grid, 0, stop);
      if (!found) return [] {};  // stopped: nothing waits for it
      const auto map = std::make_shared<const FloorErrorMap>(std::move(*found));
      layer.picture = std::make_shared<const FloorPicture>(floor_error_picture(*map));
      layer.text = floor_error_legend(*map, *cameras);
      layer.said_of = [map, cameras](const Eigen::Vector2d& place_m) {
        return floor_error_text(*map, *cameras, place_m);
      };
    } else {
      layer.text = QString::fromStdString(grid.error().message());
    }
    return [this, layer = std::move(layer)] { parts().overlays->set_floor_layer(layer); };
  });
}

}  // namespace vantage::ui
