#include "core/display/box_handles.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

const UprightBox kBox{{1, -0.5, 0}, {0.8, 0.6, 1.8}, 25};
const Eigen::Vector3d kEye(4, -3, 2.5);

Ray towards(const Eigen::Vector3d& point) {
  return {kEye, (point - kEye).normalized()};
}

// Drags a handle so that the pointer ends over another place in the world.
UprightBox pulled(BoxHandle handle, const Eigen::Vector3d& by_own_m) {
  const Eigen::Vector3d from = handle_in_world_m(kBox, handle);
  const Eigen::Vector3d to = from + kBox.to_world_m(by_own_m) - kBox.to_world_m({0, 0, 0});
  return dragged(kBox, handle, towards(from), towards(to)).value();
}

TEST(BoxHandles, FollowThePointer) {
  EXPECT_LT(
      (pulled(BoxHandle::move, {0.3, -0.2, 0}).base_in_world_m - kBox.to_world_m({0.3, -0.2, 0})).norm(),
      1e-9);
  EXPECT_NEAR(pulled(BoxHandle::high_x, {0.3, 0, 0}).size_m.x(), 1.1, 1e-9);
  EXPECT_NEAR(pulled(BoxHandle::low_y, {0, -0.25, 0}).size_m.y(), 0.85, 1e-9);
  EXPECT_NEAR(pulled(BoxHandle::top, {0, 0, 0.4}).size_m.z(), 2.2, 1e-9);
  const UprightBox lifted = pulled(BoxHandle::lift, {0, 0, 0.4});
  EXPECT_NEAR(lifted.base_in_world_m.z(), 0.4, 1e-9);
  EXPECT_EQ(lifted.size_m, kBox.size_m);
}

// A camera whose lens bends lines by many pixels, looking down on the box.
Camera bent_camera() {
  PinholeCamera<double> model;
  model.width_px = 1280, model.height_px = 960;
  model.fx_px = 800, model.fy_px = 805, model.cx_px = 650, model.cy_px = 470;
  model.k1 = -0.28, model.k2 = 0.08, model.p1 = 0.001, model.p2 = -0.0007;
  const Eigen::Vector3d forward = (Eigen::Vector3d(1, -0.5, 0.9) - kEye).normalized();
  const Eigen::Vector3d right = forward.cross(Eigen::Vector3d::UnitZ()).normalized();
  Eigen::Matrix3d rotation;
  rotation << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  const Eigen::Vector3d translation = -rotation * kEye;
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(model.rotation_cam_from_world) = rotation;
  Eigen::Map<Eigen::Vector3d>(model.translation_cam_from_world_m) = translation;
  return Camera::make("bent", model).value();
}

// A handle is taken beside its middle and dragged in the picture, over the plane by any way and along an axis
// as the axis runs there: it moves by what the pointer did.
TEST(BoxHandles, LieUnderThePointerInAPictureOfABentLens) {
  const Camera camera = bent_camera();
  for (const BoxHandle handle : kBoxHandles) {
    const Eigen::Vector3d middle = handle_in_world_m(kBox, handle);
    const auto axis = handle_axis(kBox, handle);
    for (const double pull_m : {-0.25, 0.05, 0.4}) {
      const Eigen::Vector3d goal =
          handle == BoxHandle::turn
              ? handle_in_world_m({kBox.base_in_world_m, kBox.size_m, kBox.turn_degrees + 60 * pull_m},
                                  handle)
              : middle + pull_m * axis.value_or(Eigen::Vector3d(0.6, -0.8, 0));
      const Eigen::Vector2d from = camera.project(middle).value(), to = camera.project(goal).value();
      const auto box = dragged(kBox, handle, camera.ray(from).value(), camera.ray(to).value());
      ASSERT_TRUE(box);
      EXPECT_LT((camera.project(handle_in_world_m(*box, handle)).value() - to).norm(), 0.5)
          << static_cast<int>(handle) << " by " << pull_m;
    }
  }
}

TEST(BoxHandles, ARayAlongTheAxisOrFromBehindTheEyeMovesNothing) {
  const Eigen::Vector3d side = handle_in_world_m(kBox, BoxHandle::high_x);
  const Eigen::Vector3d axis = handle_axis(kBox, BoxHandle::high_x).value();
  const Ray onto = towards(side), along{side + 3 * axis, -axis};
  EXPECT_FALSE(dragged(kBox, BoxHandle::high_x, onto, along));
  const Ray away{kEye, -onto.direction_in_world};
  for (const BoxHandle handle : kBoxHandles) {
    const Ray taken = towards(handle_in_world_m(kBox, handle));
    EXPECT_FALSE(dragged(kBox, handle, taken, {kEye, -taken.direction_in_world})) << static_cast<int>(handle);
  }
  EXPECT_FALSE(dragged(kBox, BoxHandle::high_x, onto, away));
}

TEST(BoxHandles, TheOppositeSideStays) {
  const UprightBox wider = pulled(BoxHandle::low_x, {-0.3, 0, 0});
  EXPECT_NEAR(wider.size_m.x(), 1.1, 1e-9);
  EXPECT_LT((handle_in_world_m(wider, BoxHandle::high_x) - handle_in_world_m(kBox, BoxHandle::high_x)).norm(),
            1e-9);
  EXPECT_EQ(wider.size_m.y(), kBox.size_m.y());
  const UprightBox smallest = pulled(BoxHandle::high_y, {0, -5, 0});
  EXPECT_EQ(smallest.size_m.y(), kSmallestBox_m);
  EXPECT_LT(
      (handle_in_world_m(smallest, BoxHandle::low_y) - handle_in_world_m(kBox, BoxHandle::low_y)).norm(),
      1e-9);
  EXPECT_EQ(pulled(BoxHandle::top, {0, 0, -9}).size_m.z(), kSmallestBox_m);
}

TEST(BoxHandles, TurnAboutTheVertical) {
  const Eigen::Vector3d from = handle_in_world_m(kBox, BoxHandle::turn);
  UprightBox turned = kBox;
  turned.turn_degrees += 40;
  const Eigen::Vector3d to = handle_in_world_m(turned, BoxHandle::turn);
  const UprightBox box = dragged(kBox, BoxHandle::turn, towards(from), towards(to)).value();
  EXPECT_NEAR(box.turn_degrees, 65, 1e-9);
  EXPECT_EQ(box.base_in_world_m, kBox.base_in_world_m);
}

TEST(BoxHandles, ARayIntoTheSkyMovesNothing) {
  const Ray up{kEye, Eigen::Vector3d(0, 0.1, 1).normalized()};
  const Ray onto = towards(kBox.base_in_world_m);
  EXPECT_FALSE(dragged(kBox, BoxHandle::move, onto, up));
  EXPECT_FALSE(dragged(kBox, BoxHandle::high_x, up, onto));
  const Ray vertical{{0, 0, 5}, {0, 0, -1}};
  EXPECT_FALSE(dragged(kBox, BoxHandle::top, vertical, vertical)) << "from above there is no height";
}

TEST(BoxHandles, AGridIsABoxOfWholeVoxels) {
  const VoxelGrid grid{{-1.5, -2, 0.1}, 0.02, 150, 200, 110};
  const UprightBox box = box_of_grid(grid);
  EXPECT_LT((box.base_in_world_m - Eigen::Vector3d(0, 0, 0.1)).norm(), 1e-12);
  const VoxelGrid same = grid_of_box(box, grid.voxel_size_m);
  EXPECT_EQ(same.nx, 150);
  EXPECT_EQ(same.ny, 200);
  EXPECT_EQ(same.nz, 110);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(same.origin_in_world_m[axis], grid.origin_in_world_m[axis], 1e-12);
  EXPECT_EQ(grid_of_box({{0, 0, 0}, {1, 1, 0.001}, 0}, 0.02).nz, 1);
}

}  // namespace
}  // namespace vantage
