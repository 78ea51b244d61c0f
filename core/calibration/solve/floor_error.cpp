#include "core/calibration/solve/floor_error.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/quantile.h"

namespace vantage {
namespace {

constexpr double kLittle_m = 1e-4;

// A camera, with cameras a small step away for slopes.
struct Slopes {
  const UncertainCamera* camera;
  std::vector<std::pair<int, Camera>> nearby;  // by value; those that are exact are left out
};

std::vector<Slopes> slopes_of(const std::vector<UncertainCamera>& cameras) {
  std::vector<Slopes> all;
  for (const UncertainCamera& camera : cameras) {
    Slopes slopes{&camera, {}};
    for (int v = 0; v < kCameraValues; ++v)
      if (camera.covariance(v, v) > 0)
        slopes.nearby.emplace_back(
            v, camera_with(camera.camera, small_step(v) * CameraValues::Unit(v)).value_or(camera.camera));
    all.push_back(std::move(slopes));
  }
  return all;
}

// Adds what the camera tells of the point: J' inv(N) J. False where it does not see it.
bool add_information(const Slopes& slopes, const Eigen::Vector3d& place, Eigen::Matrix3d* information) {
  const Camera& camera = slopes.camera->camera;
  if (!camera.sees(place)) return false;
  const auto at = camera.project(place);
  Eigen::Matrix<double, 2, 3> by_place;
  for (int axis = 0; axis < 3; ++axis) {
    const auto above = camera.project(place + kLittle_m * Eigen::Vector3d::Unit(axis)),
               below = camera.project(place - kLittle_m * Eigen::Vector3d::Unit(axis));
    if (!at || !above || !below) return false;
    by_place.col(axis) = (*above - *below) / (2 * kLittle_m);
  }
  Eigen::Matrix2d noise = slopes.camera->sigma_px * slopes.camera->sigma_px * Eigen::Matrix2d::Identity();
  if (!slopes.nearby.empty()) {
    Eigen::Matrix<double, 2, kCameraValues> by_value;
    by_value.setZero();
    for (const auto& [value, near] : slopes.nearby) {
      const auto there = near.project(place);
      if (!there) return false;
      by_value.col(value) = (*there - *at) / small_step(value);
    }
    noise += by_value * slopes.camera->covariance * by_value.transpose();
  }
  *information += by_place.transpose() * noise.inverse() * by_place;
  return true;
}

std::optional<double> error_m(const std::vector<Slopes>& cameras, const Eigen::Vector3d& place) {
  Eigen::Matrix3d information = Eigen::Matrix3d::Zero();
  int seen = 0;
  for (const Slopes& camera : cameras) seen += add_information(camera, place, &information) ? 1 : 0;
  if (seen < 2) return {};
  const Eigen::Matrix3d covariance = information.inverse();
  const double variance = covariance(0, 0) + covariance(1, 1);
  if (!(variance >= 0) || !std::isfinite(variance)) return {};
  return std::sqrt(variance);
}

}  // namespace

std::optional<double> place_error_m(const std::vector<UncertainCamera>& cameras,
                                    const Eigen::Vector3d& place) {
  return error_m(slopes_of(cameras), place);
}

Result<FloorErrorMap> floor_error(const std::vector<UncertainCamera>& cameras, const VoxelGrid& grid,
                                  double height_m, const StopSource& stop) {
  FloorErrorMap map;
  map.x_m = grid.origin_in_world_m[0], map.y_m = grid.origin_in_world_m[1];
  map.columns = std::max(1, static_cast<int>(std::ceil(grid.nx * grid.voxel_size_m / map.step_m - 1e-9)));
  map.rows = std::max(1, static_cast<int>(std::ceil(grid.ny * grid.voxel_size_m / map.step_m - 1e-9)));
  const std::vector<Slopes> slopes = slopes_of(cameras);
  std::vector<double> known;
  for (int row = 0; row < map.rows; ++row) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    for (int column = 0; column < map.columns; ++column) {
      map.error_m.push_back(error_m(
          slopes, {map.x_m + (column + 0.5) * map.step_m, map.y_m + (row + 0.5) * map.step_m, height_m}));
      if (map.error_m.back()) known.push_back(*map.error_m.back());
    }
  }
  map.covered_share = static_cast<double>(known.size()) / static_cast<double>(map.error_m.size());
  if (known.empty()) return map;
  map.max_m = *std::max_element(known.begin(), known.end());
  map.median_m = upper_median(std::move(known));
  return map;
}

}  // namespace vantage
