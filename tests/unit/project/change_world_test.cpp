#include "core/project/change_world.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vantage {
namespace {

Camera camera_at(double x_m, double y_m) {
  PinholeCamera<double> model;
  model.width_px = 640, model.height_px = 480, model.fx_px = model.fy_px = 500;
  model.cx_px = 320, model.cy_px = 240;
  // Aimed down.
  const double down[9] = {1, 0, 0, 0, -1, 0, 0, 0, -1};
  std::copy(std::begin(down), std::end(down), model.rotation_cam_from_world);
  const Eigen::Vector3d center(x_m, y_m, 4);
  const Eigen::Vector3d shift =
      -Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(down) * center;
  for (int i = 0; i < 3; ++i) model.translation_cam_from_world_m[i] = shift[i];
  return Camera::make("as in the file", model).value();
}

Project project() {
  Project project;
  project.cameras.resize(2);
  project.cameras[0].name = "cam1", project.cameras[0].calibration = camera_at(1, 0);
  project.cameras[1].name = "cam2";  // not calibrated
  project.grid = VoxelGrid{{-1, -2, 0}, 0.02, 100, 200, 110};
  project.zones = {{"shop", {{0, 0}, {1, 0}, {1, 1}}}};
  project.lines = {{"door", {0, 0}, {2, 0}}};
  project.points = {{"A", {}, Eigen::Vector3d(1, 2, 0)}, {"B", {}, {}}};
  project.repairs = {{RepairKind::join, {3, 1, 0}, {5, 0, 1}}};
  project.measures = {{MeasureKind::distance, {{"cam1", {7, 8}}, {"", {1, 1}}}}};
  project.truth = {{1, 1.5, {{0, 1, 0}, {9, 0, 1}}}};
  project.boxes = {{"crate", {{1, 1, 0}, {1, 2, 3}, 10}}};
  return project;
}

TEST(ChangeWorld, EverythingInItsCoordinatesMoves) {
  Project changed = project();
  // A quarter turn to the left, scaled by two, moved.
  const WorldChange change{
      2, Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitZ()).toRotationMatrix(), {5, 0, 0}};
  const std::vector<std::string> said = change_world(change, &changed);
  EXPECT_LT((changed.cameras[0].calibration->center_in_world_m() - Eigen::Vector3d(5, 2, 8)).norm(), 1e-12);
  EXPECT_FALSE(changed.cameras[1].calibration);
  EXPECT_LT((changed.zones[0].corners_m[2] - Eigen::Vector2d(3, 2)).norm(), 1e-12);
  EXPECT_LT((changed.lines[0].to_m - Eigen::Vector2d(5, 4)).norm(), 1e-12);
  EXPECT_LT((*changed.points[0].known_m - Eigen::Vector3d(1, 2, 0)).norm(), 1e-12);
  EXPECT_FALSE(changed.points[1].known_m);
  EXPECT_NEAR(changed.repairs[0].at.y_m, 2, 1e-12);
  EXPECT_EQ(changed.measures[0].clicks[0].at, Eigen::Vector2d(7, 8)) << "a pixel stays";
  EXPECT_LT((changed.measures[0].clicks[1].at - Eigen::Vector2d(3, 2)).norm(), 1e-12);
  EXPECT_NEAR(changed.truth[0].keys[0].y_m, 2, 1e-12);
  EXPECT_NEAR(changed.truth[0].keys[1].x_m, 3, 1e-12);
  EXPECT_EQ(changed.truth[0].height_m, 3);
  EXPECT_LT((changed.boxes[0].box.base_in_world_m - Eigen::Vector3d(3, 2, 0)).norm(), 1e-12);
  EXPECT_EQ(changed.boxes[0].box.size_m, Eigen::Vector3d(2, 4, 6));
  EXPECT_NEAR(changed.boxes[0].box.turn_degrees, 100, 1e-9);
  // 2 x 4 m from (-1, -2) becomes 8 x 4 m from (1, -2); its height concerns people and stays.
  EXPECT_NEAR(changed.grid->origin_in_world_m[0], 1, 1e-9);
  EXPECT_NEAR(changed.grid->origin_in_world_m[1], -2, 1e-9);
  EXPECT_EQ(changed.grid->nx, 400);
  EXPECT_EQ(changed.grid->ny, 200);
  EXPECT_EQ(changed.grid->nz, 110);
  EXPECT_EQ(changed.grid->voxel_size_m, 0.02);
  ASSERT_EQ(said.size(), 8u);
  EXPECT_EQ(said[0], "1 camera moved");
  EXPECT_EQ(said[5], "1 true person moved");
  EXPECT_EQ(said[6], "1 box moved and scaled by 2.0000");
}

TEST(ChangeWorld, ThereAndBackIsTheSame) {
  Project changed = project();
  const WorldChange there{1, Eigen::Matrix3d::Identity(), {0.5, -0.25, 0}};
  change_world(there, &changed);
  change_world({1, Eigen::Matrix3d::Identity(), {-0.5, 0.25, 0}}, &changed);
  EXPECT_FALSE(difference(changed, project()).any());
}

}  // namespace
}  // namespace vantage
