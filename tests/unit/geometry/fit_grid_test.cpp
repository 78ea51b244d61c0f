#include <gtest/gtest.h>

#include "core/geometry/camera.h"
#include "tests/support/camera_ring.h"
#include "tests/support/data.h"
#include "tests/support/uu_voxel.h"

namespace vantage {
namespace {

bool contains(const VoxelGrid& grid, const Eigen::Vector3d& point) {
  const int counts[3] = {grid.nx, grid.ny, grid.nz};
  for (int axis = 0; axis < 3; ++axis) {
    const double low = grid.origin_in_world_m[axis];
    if (point[axis] < low || point[axis] > low + counts[axis] * grid.voxel_size_m) return false;
  }
  return true;
}

// Points that all cameras see, on a lattice that the fit does not use, must lie in the grid (but for a border
// of one of the fit's steps), and the grid must not be much larger than they reach.
void expect_fits(const std::vector<Camera>& cameras, const VoxelGrid& grid, double height_m) {
  EXPECT_EQ(grid.nx % 16, 0);
  EXPECT_EQ(grid.ny % 16, 0);
  EXPECT_EQ(grid.nz % 8, 0);
  EXPECT_EQ(grid.origin_in_world_m[2], 0);
  Eigen::Vector3d low = Eigen::Vector3d::Constant(1e9), high = -low;
  for (double z = 0.03; z < height_m; z += 0.11)
    for (double y = -6; y < 6; y += 0.07)
      for (double x = -6; x < 6; x += 0.07) {
        const Eigen::Vector3d point(x, y, z);
        if (!std::all_of(cameras.begin(), cameras.end(), [&](const Camera& c) { return c.sees(point); }))
          continue;
        low = low.cwiseMin(point), high = high.cwiseMax(point);
      }
  ASSERT_LT(low.x(), high.x());
  const Eigen::Vector3d border(0.1, 0.1, 0);
  EXPECT_TRUE(contains(grid, low + border)) << low.transpose();
  EXPECT_TRUE(contains(grid, high - border)) << high.transpose();
  EXPECT_LT(grid.nx * grid.voxel_size_m, high.x() - low.x() + 0.4 + 16 * grid.voxel_size_m);
  EXPECT_LT(grid.ny * grid.voxel_size_m, high.y() - low.y() + 0.4 + 16 * grid.voxel_size_m);
  EXPECT_LT(grid.nz * grid.voxel_size_m, height_m + 8 * grid.voxel_size_m);
}

TEST(FitGrid, ARingsCommonView) {
  const std::vector<Camera> cameras = test::camera_ring({});
  expect_fits(cameras, fit_grid_to_common_view(cameras, 0.02, 2.0).value(), 2.0);
}

TEST(FitGrid, RealCameras) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
  const std::vector<Camera> cameras = test::uu_voxel_cameras(folder);
  const VoxelGrid grid = fit_grid_to_common_view(cameras, 0.02, 2.2).value();
  expect_fits(cameras, grid, 2.2);
  // The person of that recording.
  EXPECT_TRUE(contains(grid, {0.04, 0.06, 0}));
  EXPECT_TRUE(contains(grid, {0.66, 0.9, 1.37}));
}

TEST(FitGrid, FewerCamerasSeeMore) {
  const std::vector<Camera> cameras = test::camera_ring({});
  EXPECT_GT(fit_grid_to_common_view(cameras, 0.05, 2.0, 2)->count(),
            fit_grid_to_common_view(cameras, 0.05, 2.0)->count());
}

TEST(FitGrid, RefusalsSayWhy) {
  // Two cameras back to back.
  std::vector<Camera> apart = {test::ring_camera({.height_m = 1, .look_at_height_m = 1}, 0)};
  PinholeCamera<double> turned = apart[0].model();
  for (int i : {0, 1, 2, 6, 7, 8})
    turned.rotation_cam_from_world[i] *= -1;  // half a turn about the camera's y
  const Eigen::Vector3d center = apart[0].center_in_world_m();
  for (int row = 0; row < 3; ++row) {
    turned.translation_cam_from_world_m[row] = 0;
    for (int column = 0; column < 3; ++column)
      turned.translation_cam_from_world_m[row] -=
          turned.rotation_cam_from_world[3 * row + column] * center[column];
  }
  apart.push_back(Camera::make("turned", turned).value());
  const Result<VoxelGrid> nothing = fit_grid_to_common_view(apart, 0.02, 2.0);
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().message().find("seen by 2 cameras"), std::string::npos)
      << nothing.error().message();

  const std::vector<Camera> cameras = test::camera_ring({});
  const Result<VoxelGrid> too_fine = fit_grid_to_common_view(cameras, 0.0005, 2.0);
  ASSERT_FALSE(too_fine);
  EXPECT_NE(too_fine.error().message().find("larger voxels"), std::string::npos);
  EXPECT_FALSE(fit_grid_to_common_view({}, 0.02, 2.0));
  EXPECT_FALSE(fit_grid_to_common_view(cameras, 0, 2.0));
  EXPECT_FALSE(fit_grid_to_common_view(cameras, 0.02, -1));
  EXPECT_FALSE(fit_grid_to_common_view(cameras, 0.02, 2.0, 5));
}

}  // namespace
}  // namespace vantage
