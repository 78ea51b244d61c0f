// Which cameras moved, where a solution says how all stand to each other in a world of its own.
#include "core/calibration/people/detail/moved_cameras.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "tests/unit/people_calibration/walked_room.h"

namespace vantage {
namespace {

using namespace walked_room;
using people_calibration_detail::unmoved_cameras;
using people_calibration_detail::UnmovedCameras;

constexpr double kTurnStd_rad = 5e-4, kMoveStd_m = 3e-3;

// Cameras of the room that are not `given` as they stand; solved with noise, in another world.
struct SolvedRoom {
  std::vector<Camera> given = room(), solved;
  std::vector<Eigen::Matrix<double, kChanges, kChanges>> covariances;
  WorldChange world;  // from the room to the solved one

  SolvedRoom(const std::vector<std::pair<size_t, CameraChange>>& wrong, unsigned seed) {
    world.scale = 1.02;
    world.rotation = Eigen::AngleAxisd(0.03, Eigen::Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
    world.translation_m = {0.2, -0.1, 0.05};
    std::mt19937 random(seed);
    std::normal_distribution<double> noise;
    for (const Camera& camera : room()) {
      CameraChange off = CameraChange::Zero();
      for (int i = 0; i < 6; ++i) off[i] = noise(random) * (i < 3 ? kTurnStd_rad : kMoveStd_m);
      solved.push_back(in_changed_world(*changed_camera(camera, off), world));
      auto& covariance = covariances.emplace_back();
      covariance.setZero();
      covariance.diagonal().head<3>().setConstant(kTurnStd_rad * kTurnStd_rad);
      covariance.diagonal().segment<3>(3).setConstant(kMoveStd_m * kMoveStd_m);
    }
    for (const auto& [camera, change] : wrong) given[camera] = *changed_camera(given[camera], change);
  }
  std::optional<UnmovedCameras> unmoved() const {
    return unmoved_cameras(given, solved, covariances, region());
  }
};

TEST(UnmovedCameras, AreAllButThoseThatMoved) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    using Cameras = std::vector<size_t>;
    const auto none = SolvedRoom({}, seed).unmoved();
    ASSERT_TRUE(none) << seed;
    EXPECT_EQ(none->cameras, (Cameras{0, 1, 2, 3})) << seed;
    const auto one = SolvedRoom({{2, change_of(0.5, 1, 0)}}, seed).unmoved();
    ASSERT_TRUE(one) << seed;
    EXPECT_EQ(one->cameras, (Cameras{0, 1, 3})) << seed;
    const SolvedRoom two({{0, change_of(0.5, 0, 0.03)}, {3, change_of(-0.5, 1, 0.03)}}, seed);
    const auto of_two = two.unmoved();
    ASSERT_TRUE(of_two) << seed;
    EXPECT_EQ(of_two->cameras, (Cameras{1, 2})) << seed;
    // The world is theirs, not one that lies between all.
    const Eigen::Vector3d place(0.7, -0.4, 0.9);
    EXPECT_LT((of_two->world(two.world(place)) - place).norm(), 0.02) << seed;
  }
}

TEST(UnmovedCameras, AreOpenWhereAllMoved) {
  for (unsigned seed = 1; seed <= 10; ++seed)
    EXPECT_FALSE(SolvedRoom({{0, change_of(0.7, 0, 0.04)},
                             {1, change_of(-0.7, 1, 0.04)},
                             {2, change_of(0.7, 1, -0.04)},
                             {3, change_of(0.7, 0, -0.04)}},
                            seed)
                     .unmoved())
        << seed;
}

// Two that were moved together stand to each other as before, as the other two do: nobody knows which moved.
TEST(UnmovedCameras, AreOpenWhereTwoPairsContradictEachOther) {
  SolvedRoom room({}, 3);
  WorldChange together;
  together.rotation = Eigen::AngleAxisd(0.02, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  together.translation_m = {0.1, 0, 0};
  for (const size_t c : {1, 2}) room.given[c] = in_changed_world(room.given[c], together);
  EXPECT_FALSE(room.unmoved());
}

}  // namespace
}  // namespace vantage
