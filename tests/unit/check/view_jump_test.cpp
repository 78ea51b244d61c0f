// Jumps of a camera's view, distinguished from shaking, light and unusable scenes.
#include "core/check/view_jump.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "core/check/camera_view.h"
#include "core/geometry/camera.h"
#include "core/image/picture.h"
#include "tests/support/camera_ring.h"
#include "tests/support/loop_size.h"
#include "tests/support/textured_pictures.h"

namespace vantage {
namespace {

constexpr int kWidth = 320, kHeight = 240;

// The picture's conditions: position of the scene, and light.
struct Taken {
  double x_px = 0, y_px = 0, gain = 1, offset = 0;
  bool elsewhere = false;  // another scene
};

class ViewJumpTest : public testing::Test {
 protected:
  template <typename TakenAt>
  ViewFinding find(const TakenAt& taken_at, int pictures = 16) {
    std::vector<TimedView> views;
    const auto picture = [&](int64_t frame) {
      const Taken taken = taken_at(frame);
      std::mt19937 random(static_cast<uint32_t>(frame + 1));
      const Picture seen =
          (taken.elsewhere ? other_ : scene_)
              .seen(kWidth, kHeight, taken.x_px, taken.y_px, random, 1, taken.gain, taken.offset);
      return reduced_mean(seen.plane(0), 1, HostPool::shared());
    };
    for (int i = 0; i < pictures; ++i) views.push_back({10 * i, picture(10 * i).value()});
    return find_view_jumps(views, 1, picture);
  }
  const test::TexturedScene scene_{5}, other_{6};
};

TEST_F(ViewJumpTest, AJumpThatStaysIsFoundToTheFrame) {
  for (const auto& [x, y] : {std::pair{7.0, -3.0}, {2.0, 1.0}, {-24.0, 10.0}, {0.0, 40.0}}) {
    SCOPED_TRACE(x);
    const ViewFinding found =
        find([x = x, y = y](int64_t frame) { return frame < 83 ? Taken{} : Taken{x, y}; });
    ASSERT_EQ(found.jumps.size(), 1u) << found.untold;
    EXPECT_EQ(found.jumps[0].last_before, 82);
    EXPECT_EQ(found.jumps[0].first_after, 83);
    EXPECT_NEAR(found.jumps[0].moved_px, std::hypot(x, y), 0.2);
    int near = 0;
    for (const MovedPlace& place : found.jumps[0].places)
      near += (place.after_px - place.before_px - Eigen::Vector2d(x, y)).norm() < 0.5;
    EXPECT_GE(10 * near, 9 * std::ssize(found.jumps[0].places));
  }
}

TEST_F(ViewJumpTest, ACameraThatIsPutBackJumpsTwice) {
  const ViewFinding found =
      find([](int64_t frame) { return frame >= 45 && frame < 107 ? Taken{6, 4} : Taken{}; });
  ASSERT_EQ(found.jumps.size(), 2u);
  EXPECT_EQ(found.jumps[0].first_after, 45);
  EXPECT_EQ(found.jumps[1].first_after, 107);
}

TEST_F(ViewJumpTest, ShakingComesBack) {
  const auto seeds = static_cast<uint32_t>(test::loop_size("VANTAGE_TEST_SHAKES", 2));
  for (uint32_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::normal_distribution<double> shake(0, 2);
    std::vector<Taken> taken;
    for (int i = 0; i < 160; ++i) taken.push_back({shake(random), shake(random)});
    const ViewFinding found = find([&](int64_t frame) { return taken[frame]; });
    EXPECT_TRUE(found.jumps.empty()) << found.jumps[0].moved_px;
  }
}

TEST_F(ViewJumpTest, LightIsNoJump) {
  const ViewFinding found = find([](int64_t frame) { return frame < 83 ? Taken{} : Taken{0, 0, 0.7, 20}; });
  EXPECT_TRUE(found.jumps.empty());
  EXPECT_TRUE(found.untold.empty()) << found.untold;
  EXPECT_LT(found.largest_px, 0.2);
}

TEST_F(ViewJumpTest, WithoutTextureItDoesNotTell) {
  const ViewFinding found = find([](int64_t) { return Taken{0, 0, 0, 120}; });
  EXPECT_TRUE(found.jumps.empty());
  EXPECT_NE(found.untold.find("texture"), std::string::npos) << found.untold;
}

TEST_F(ViewJumpTest, AnotherSceneDoesNotTell) {
  const ViewFinding found =
      find([](int64_t frame) { return frame < 83 ? Taken{} : Taken{.elsewhere = true}; });
  EXPECT_TRUE(found.jumps.empty());
  EXPECT_FALSE(found.untold.empty());
  EXPECT_NEAR(static_cast<double>(found.untold_frame), 83, 40);
}

TEST_F(ViewJumpTest, FewPicturesDoNotTell) {
  EXPECT_FALSE(find([](int64_t) { return Taken{}; }, 3).untold.empty());
}

// The turn is found from the scene's displacement, in any direction.
TEST(SolveTurn, FindsTheCameraAfterTheJump) {
  test::RingOptions ring;
  ring.width_px = kWidth, ring.height_px = kHeight;
  const Camera before = test::camera_ring(ring)[1];
  CameraChange change = CameraChange::Zero();
  change.head<3>() << 0.01, -0.02, 0.015;
  const Camera after = changed_camera(before, change).value();
  ViewJump jump;
  for (int y = 20; y < kHeight; y += 40)
    for (int x = 20; x < kWidth; x += 40) {
      const Ray ray = before.ray({x, y}).value();
      const auto seen = after.project(ray.origin_in_world_m + 5 * ray.direction_in_world);
      if (seen) jump.places.push_back({{x, y}, *seen});
    }
  jump.places[3].after_px += Eigen::Vector2d(40, 10);  // a person walked there
  const auto solved = solve_turn(before, jump);
  ASSERT_TRUE(solved);
  EXPECT_NEAR(solved->degrees, change.norm() * 180 / std::numbers::pi, 1e-3);
  EXPECT_LT(solved->after_px, 0.01);
  EXPECT_LT((solved->camera.rotation_cam_from_world() - after.rotation_cam_from_world()).norm(), 1e-4);
  jump.places.resize(5);
  EXPECT_FALSE(solve_turn(before, jump));
}

// Corners of a scene at several depths, as two cameras show them.
ViewJump jump_between(const Camera& before, const Camera& after) {
  ViewJump jump;
  for (int i = 0; i < 80; ++i) {
    const Eigen::Vector3d at(-1 + 0.22 * (i % 10), -1 + 0.25 * (i / 10), 0.1 * (i % 7));
    const auto from = before.project(at), to = after.project(at);
    if (from && to) jump.places.push_back({*from, *to});
  }
  return jump;
}

// The second jump is measured from the pose after the first, the floor from its calibration.
TEST(SolveJumps, TurnsAddUpAndAMoveIsNotSolved) {
  test::RingOptions ring;
  ring.width_px = kWidth, ring.height_px = kHeight;
  const Camera calibrated = test::camera_ring(ring)[1];
  VoxelGrid grid;
  grid.voxel_size_m = 0.1, grid.nx = grid.ny = 40, grid.nz = 20;
  grid.origin_in_world_m[0] = grid.origin_in_world_m[1] = -2;
  CameraChange turn = CameraChange::Zero();
  turn[1] = 0.03;
  const Camera turned_once = changed_camera(calibrated, turn).value();
  CameraChange move = CameraChange::Zero();
  move.segment<3>(3) << 0.6, -0.4, 0.3;
  const Camera moved = changed_camera(calibrated, move).value();

  ViewFinding found;
  found.jumps = {jump_between(calibrated, turned_once), jump_between(turned_once, calibrated)};
  const std::vector<SolvedJump> there_and_back = solve_jumps(found, calibrated, &grid);
  ASSERT_EQ(there_and_back.size(), 2u);
  EXPECT_TRUE(there_and_back[0].solved());
  EXPECT_TRUE(there_and_back[1].solved());
  EXPECT_GT(*there_and_back[0].floor_m, 0.05);
  EXPECT_LT(*there_and_back[1].floor_m, 0.001);

  found.jumps = {jump_between(calibrated, moved)};
  found.jumps[0].moved_px = 20;
  const std::vector<SolvedJump> away = solve_jumps(found, calibrated, &grid);
  ASSERT_TRUE(away[0].turn);
  EXPECT_FALSE(away[0].solved()) << away[0].turn->after_px;
  EXPECT_FALSE(solve_jumps(found, {}, nullptr)[0].turn);
}

}  // namespace
}  // namespace vantage
