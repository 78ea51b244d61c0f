// Neighbours of cameras: a few for each, however many cameras there are.
#include "core/check/camera_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/unit/check/rendered_people.h"

namespace vantage {
namespace {

using test::kRoom;

std::vector<Camera> ring_of(int cameras, CameraLayout layout = CameraLayout::ring) {
  SynthOptions options;
  options.cameras = cameras, options.layout = layout;
  options.width_px = 640, options.height_px = 480;
  options.seed = 31;
  return synth::make_scene(options).value().cameras;
}

size_t pairs_of(const Neighbours& neighbours) {
  size_t pairs = 0;
  for (const std::vector<size_t>& others : neighbours) pairs += others.size();
  return pairs;
}

TEST(Neighbours, FewCamerasAreAllComparedWithAll) {
  for (const int cameras : {2, 4, 6})
    EXPECT_EQ(pairs_of(neighbours_of(ring_of(cameras), kRoom)), static_cast<size_t>(cameras * (cameras - 1)));
}

TEST(Neighbours, PairsGrowWithCamerasAndNotWithTheirSquare) {
  for (const size_t cameras : {7u, 16u, 32u, 64u}) {
    const Neighbours neighbours = neighbours_of(ring_of(static_cast<int>(cameras)), kRoom);
    EXPECT_EQ(pairs_of(neighbours), kMaxNeighbours * cameras);
    for (size_t c = 0; c < cameras; ++c) {
      EXPECT_TRUE(std::is_sorted(neighbours[c].begin(), neighbours[c].end()));
      EXPECT_EQ(std::count(neighbours[c].begin(), neighbours[c].end(), c), 0);
    }
  }
}

// All around the room, not the five next to it.
TEST(Neighbours, LookFromElsewhere) {
  const std::vector<Camera> cameras = ring_of(24);
  const Neighbours neighbours = neighbours_of(cameras, kRoom);
  for (size_t c = 0; c < cameras.size(); ++c) {
    const Eigen::Vector2d own = cameras[c].center_in_world_m().head<2>().normalized();
    for (const size_t other : neighbours[c])
      EXPECT_LT(own.dot(cameras[other].center_in_world_m().head<2>().normalized()), std::cos(M_PI / 180 * 25))
          << c << " and " << other;
  }
}

// Two rooms whose cameras look down steeply, so that none shows the floor of the other.
TEST(Neighbours, ShareSomeOfTheFloor) {
  std::vector<Camera> cameras = ring_of(5, CameraLayout::overhead);
  for (size_t c = 0; c < 5; ++c) {
    PinholeCamera<double> model = cameras[c].model();
    const Eigen::Vector3d there = cameras[c].center_in_world_m() + Eigen::Vector3d(40, 0, 0),
                          shift = -(cameras[c].rotation_cam_from_world() * there);
    for (int i = 0; i < 3; ++i) model.translation_cam_from_world_m[i] = shift[i];
    cameras.push_back(Camera::make("there", model).value());
  }
  const Neighbours neighbours = neighbours_of(cameras, {{-3, -3, 0}, 0.1, 460, 60, 22});
  EXPECT_EQ(pairs_of(neighbours), 40u) << "each with the four others of its room";
  for (size_t c = 0; c < cameras.size(); ++c)
    for (const size_t other : neighbours[c]) EXPECT_EQ(c < 5, other < 5) << c << " and " << other;
}

}  // namespace
}  // namespace vantage
