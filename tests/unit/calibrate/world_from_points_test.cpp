#include "core/calibration/solve/world_from_points.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/calibration/solve/measure.h"
#include "tests/unit/calibrate/clicked_room.h"

namespace vantage {
namespace {

using Eigen::Vector3d;

WorldChange tilted() {
  return {1.7,
          (Eigen::AngleAxisd(0.4, Vector3d::UnitX()) * Eigen::AngleAxisd(-0.2, Vector3d::UnitY()))
              .toRotationMatrix(),
          {0.5, -1, 2}};
}

std::vector<Vector3d> in(const WorldChange& change, std::vector<Vector3d> points) {
  for (Vector3d& point : points) point = change(point);
  return points;
}

TEST(WorldChange, CamerasSeeTheSceneAsBefore) {
  const WorldChange change = tilted();
  for (const Camera& camera : clicked_room::cameras()) {
    const Camera changed = in_changed_world(camera, change);
    for (const Vector3d& point : clicked_room::places(8, 1))
      EXPECT_LT(
          (clicked_room::pixel_of(changed, change(point)) - clicked_room::pixel_of(camera, point)).norm(),
          1e-8);
  }
}

TEST(WorldChange, OneAfterTheOther) {
  const WorldChange first = tilted(),
                    second{0.5, Eigen::AngleAxisd(1, Vector3d::UnitZ()).toRotationMatrix(), {1, 2, 3}};
  const Vector3d point(0.3, -0.7, 1.1);
  EXPECT_LT((first.then(second)(point) - second(first(point))).norm(), 1e-12);
}

TEST(LevelWorld, PutsTheFloorAtZeroBelowTheCameras) {
  const WorldChange wrong = tilted();
  LevelInput input;
  input.floor_m = in(wrong, {{1, 0, 0}, {-1, 1, 0}, {0, -2, 0}, {2, 2, 0}});
  for (const Camera& camera : clicked_room::cameras())
    input.above_m.push_back(wrong(camera.center_in_world_m()));
  input.origin_m = wrong(Vector3d(1, 0, 0));
  input.towards_x_m = wrong(Vector3d(-1, 1, 0));
  const auto fit = level_world(input);
  ASSERT_TRUE(fit) << fit.error().message();
  for (const double off : fit->off_m) EXPECT_NEAR(off, 0, 1e-12);
  EXPECT_LT(fit->change(*input.origin_m).norm(), 1e-12);
  const Vector3d x = fit->change(*input.towards_x_m);
  EXPECT_GT(x.x(), 0);
  EXPECT_NEAR(x.y(), 0, 1e-12);
  for (const Vector3d& center : input.above_m) EXPECT_GT(fit->change(center).z(), 1);
  EXPECT_NEAR(fit->change.rotation.determinant(), 1, 1e-12);
}

TEST(LevelWorld, KeepsWhatTheFloorDoesNotSay) {
  // A floor that is level, but 30 cm too high: only the height changes.
  const auto fit = level_world({{{0, 0, 0.3}, {1, 0, 0.3}, {0, 1, 0.3}}, {{0, 0, 3}}, {}, {}});
  ASSERT_TRUE(fit);
  EXPECT_LT((fit->change.rotation - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  EXPECT_LT((fit->change.translation_m - Vector3d(0, 0, -0.3)).norm(), 1e-12);
}

TEST(LevelWorld, SaysWhyItCannot) {
  const std::vector<Vector3d> line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  EXPECT_NE(level_world({line, {}, {}, {}}).error().what.find("one line"), std::string::npos);
  EXPECT_NE(level_world({{{0, 0, 0}, {1, 0, 0}}, {}, {}, {}}).error().what.find("2 points"),
            std::string::npos);
  const std::vector<Vector3d> wall = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_NE(
      level_world({wall, {{1, 0, 2}, {-1, 0, 2}}, {}, {}}).error().what.find("1 cameras are on one side"),
      std::string::npos);
}

TEST(ScaleWorld, TakesLengthsTogether) {
  const auto fit =
      scale_world(std::vector<KnownLength>{{{0, 0, 0}, {1, 0, 0}, 2}, {{0, 0, 0}, {0, 2, 0}, 4}});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->change.scale, 2, 1e-12);
  EXPECT_FALSE(scale_world(std::vector<KnownLength>{{{0, 0, 0}, {1, 0, 0}, -2}}));
  EXPECT_FALSE(scale_world(std::vector<KnownLength>{{{0, 0, 0}, {0, 0, 0}, 1}}));
  EXPECT_FALSE(scale_world({}));
}

TEST(AlignWorld, FindsTheSimilarity) {
  const WorldChange wanted = tilted();
  std::vector<KnownPlace> places;
  for (const Vector3d& point : clicked_room::places(5, 2)) places.push_back({point, wanted(point)});
  const auto fit = align_world(places);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->change.scale, 1.7, 1e-9);
  EXPECT_LT((fit->change.rotation - wanted.rotation).norm(), 1e-9);
  EXPECT_LT((fit->change.translation_m - wanted.translation_m).norm(), 1e-9);
  places.resize(2);
  EXPECT_FALSE(align_world(places));
}

TEST(CompareCameras, FindsTheTurnAndWhatItDoes) {
  const Camera camera = clicked_room::cameras()[0];
  CameraChange change = CameraChange::Zero();
  change[1] = M_PI / 180;
  const Camera other = *changed_camera(camera, change);
  const VoxelGrid grid{{-2, -2, 0}, 0.05, 80, 80, 40};
  const auto found = compare_cameras(camera, other, &grid);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->turned_deg, 1, 1e-9);
  EXPECT_NEAR(found->moved_m, 0, 1e-9);
  // One degree of pan is 900 px * tan 1 degree in the middle of the picture, without the lens.
  EXPECT_NEAR(found->rms_px, 900 * std::tan(M_PI / 180), 2.5);
  // On the floor below, as OpenCV sees it: the same pixel through both cameras.
  ASSERT_FALSE(found->floor.empty());
  for (const FloorShift& shift : found->floor) {
    const Vector3d place(shift.place_m.x(), shift.place_m.y(), 0),
        there(shift.place_m.x() + shift.shift_m.x(), shift.place_m.y() + shift.shift_m.y(), 0);
    EXPECT_LT((clicked_room::pixel_of(camera, place) - clicked_room::pixel_of(other, there)).norm(), 1e-6);
  }
  EXPECT_GT(found->max_m, found->median_m);
}

TEST(CompareCameras, IsNothingForTheSameCameraAndRefusesOtherSizes) {
  const Camera camera = clicked_room::cameras()[0];
  const auto same = compare_cameras(camera, camera, nullptr);
  ASSERT_TRUE(same);
  EXPECT_LT(same->max_px, 1e-8);
  EXPECT_FALSE(compare_cameras(camera, camera.reduced(2), nullptr));
}

TEST(CompareCameras, AlignedWorldsDoNotDiffer) {
  std::vector<Camera> others;
  for (const Camera& camera : clicked_room::cameras()) others.push_back(in_changed_world(camera, tilted()));
  const auto change = align_cameras(clicked_room::cameras(), others);
  ASSERT_TRUE(change) << change.error().message();
  for (size_t c = 0; c < others.size(); ++c) {
    const auto found =
        compare_cameras(in_changed_world(clicked_room::cameras()[c], *change), others[c], nullptr);
    EXPECT_LT(found->turned_deg, 1e-6);
    EXPECT_LT(found->moved_m, 1e-6);
  }
}

}  // namespace
}  // namespace vantage
