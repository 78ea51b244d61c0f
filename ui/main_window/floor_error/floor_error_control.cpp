#include "ui/main_window/floor_error/floor_error_control.h"

#include <QCoreApplication>
#include <QSettings>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "core/image/color_map.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/overlay_control.h"

namespace vantage::ui {

FloorErrorControl::FloorErrorControl(const WindowParts& parts)
    : Control(parts),
      shown_(add_switch(
          {"expected_error", "E&xpected Error", "Shift+E",
           "Show the expected error of positions on the floor: the standard deviation, in centimetres, if "
           "all "
           "cameras that see a position triangulate it, at 1 px of noise and with the deviations of poses "
           "that "
           "were solved since the project was opened"},
          {Menu::overlays, "coverage"}, [this] { show(); },
          [this] {
            return unmet({{project().calibrated(), tr("The expected error needs a calibration.")}});
          })) {
  keep_switch(shown_, "expected_error", false);
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
  const std::span<const SolvedTogether> known = parts().proposal->known_poses();
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

namespace {

constexpr int kChequers = 2;  // along a cell
constexpr std::array<uint8_t, 2> kChequerGreys = {70, 140};

QString layer_tr(const char* text) {
  return QCoreApplication::translate("FloorErrorLayer", text);
}

}  // namespace

FloorErrorCameras floor_error_cameras(const std::vector<Camera>& cameras,
                                      std::span<const SolvedTogether> solved) {
  FloorErrorCameras found;
  for (const Camera& camera : cameras) {
    UncertainCamera uncertain{camera, kFloorErrorNoise_px, CameraCovariance::Zero()};
    for (const SolvedTogether& together : solved)
      if (const auto index = index_of(together, camera)) {
        uncertain.covariance = together.of(*index);
        break;
      }
    if (uncertain.covariance.isZero(0)) ++found.exact;
    found.cameras.push_back(std::move(uncertain));
  }
  return found;
}

FloorPicture floor_error_picture(const FloorErrorMap& map) {
  FloorPicture picture;
  picture.corner_in_world_m = {map.x_m, map.y_m, 0};
  picture.cell_m = map.step_m / kChequers;
  picture.nx = kChequers * map.columns, picture.ny = kChequers * map.rows;
  const double full_m = map.full_m();
  for (int y = 0; y < picture.ny; ++y)
    for (int x = 0; x < picture.nx; ++x) {
      const auto& error_m = map.error_m[y / kChequers * map.columns + x / kChequers];
      const uint8_t grey = kChequerGreys[(x + y) % 2];
      const std::array<uint8_t, 3> color =
          error_m ? mapped_color(kCividis, *error_m / full_m) : std::array<uint8_t, 3>{grey, grey, grey};
      picture.rgba.insert(picture.rgba.end(), {color[0], color[1], color[2], kFloorAlpha});
    }
  return picture;
}

QString exact_text(const FloorErrorCameras& cameras) {
  const int all = static_cast<int>(cameras.cameras.size());
  if (cameras.exact == 0) return {};
  if (cameras.exact == all) return layer_tr("all poses as exact");
  return layer_tr("%1 of %2 poses as exact").arg(cameras.exact).arg(all);
}

QString floor_error_legend(const FloorErrorMap& map, const FloorErrorCameras& cameras) {
  if (map.median_m <= 0) return layer_tr("expected error: no two cameras see the same floor");
  const double full_m = map.full_m();
  QStringList words = {(full_m < map.max_m ? layer_tr("expected error 0 to %1 cm or more")
                                           : layer_tr("expected error 0 to %1 cm"))
                           .arg(100 * full_m, 0, 'f', 2)};
  if (const QString exact = exact_text(cameras); !exact.isEmpty()) words << exact;
  return words.join(QStringLiteral("; "));
}

QString floor_error_text(const FloorErrorMap& map, const FloorErrorCameras& cameras,
                         const Eigen::Vector2d& place_m) {
  const double column = std::floor((place_m.x() - map.x_m) / map.step_m),
               row = std::floor((place_m.y() - map.y_m) / map.step_m);
  if (!(column >= 0 && row >= 0 && column < map.columns && row < map.rows)) return {};
  const auto& error_m =
      map.error_m[static_cast<size_t>(row) * static_cast<size_t>(map.columns) + static_cast<size_t>(column)];
  if (!error_m) return layer_tr("expected error unknown: fewer than two cameras see this");
  const QString words = layer_tr("expected error %1 cm").arg(100 * *error_m, 0, 'f', 2);
  const QString exact = exact_text(cameras);
  return exact.isEmpty() ? words : words + QStringLiteral(" (") + exact + QChar(')');
}

}  // namespace vantage::ui
