// Plans of cameras: usual values, and the wrong units and axes that users enter.
#include "core/project/scene_plan.h"

#include <gtest/gtest.h>

#include "core/geometry/camera.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

std::vector<Camera> ring() {
  test::RingOptions options;
  options.width_px = 640, options.height_px = 480;
  return test::camera_ring(options);
}

std::vector<Camera> changed(const WorldChange& change) {
  std::vector<Camera> cameras = ring();
  for (Camera& camera : cameras) camera = in_changed_world(camera, change);
  return cameras;
}

TEST(ScenePlan, UsualCamerasAreToldInNumbersAndNotDoubted) {
  const std::vector<Camera> cameras = ring();
  const ScenePlan layout = plan_scene(cameras);
  ASSERT_EQ(layout.cameras.size(), cameras.size());
  EXPECT_GT(layout.min_height_m, 1);
  EXPECT_GT(layout.apart_m, 2);
  ASSERT_TRUE(layout.common);
  EXPECT_EQ(plan_doubt(layout), "");
  EXPECT_NE(plan_text(layout).find("together they see"), std::string::npos) << plan_text(layout);
  for (size_t c = 0; c < cameras.size(); ++c) {
    // The middle of the floor lies in the view of each.
    Eigen::AlignedBox2d box;
    for (const Eigen::Vector2d& corner : layout.cameras[c].floor_m) box.extend(corner);
    EXPECT_TRUE(box.contains(Eigen::Vector2d(0, 0))) << c;
    for (const Eigen::Vector2d& corner : layout.cameras[c].floor_m)
      EXPECT_LE((corner - cameras[c].center_in_world_m().head<2>()).norm(),
                std::max(5.0, kSeenFar * layout.apart_m) + 1e-9);
  }
}

TEST(ScenePlan, WrongUnitsAndAxesAreDoubted) {
  WorldChange squares;  // of 11.5 cm, taken for metres
  squares.scale = 1 / 0.115;
  const ScenePlan high = plan_scene(changed(squares));
  EXPECT_NE(plan_doubt(high).find("one unit"), std::string::npos) << plan_text(high);
  WorldChange millimetres;
  millimetres.scale = 1e-3;
  EXPECT_NE(plan_doubt(plan_scene(changed(millimetres))).find("on the floor"), std::string::npos);
  WorldChange down;
  down.rotation = Eigen::AngleAxisd(M_PI, Eigen::Vector3d::UnitX()).toRotationMatrix();
  EXPECT_NE(plan_doubt(plan_scene(changed(down))).find("below the floor"), std::string::npos);
}

// OpenGL's axes: y up in the picture, -z ahead.
TEST(ScenePlan, CamerasWithOtherAxesAreDoubted) {
  std::vector<Camera> cameras = ring();
  for (Camera& camera : cameras) {
    PinholeCamera<double> model = camera.model();
    for (int i = 3; i < 9; ++i) model.rotation_cam_from_world[i] *= -1;
    for (int i = 1; i < 3; ++i) model.translation_cam_from_world_m[i] *= -1;
    camera = Camera::make(camera.name(), model).value();
  }
  EXPECT_NE(plan_doubt(plan_scene(cameras)).find("OpenGL"), std::string::npos);
  for (Camera& camera : cameras) {  // level again, but upside down
    PinholeCamera<double> model = camera.model();
    for (int i : {0, 1, 2, 6, 7, 8}) model.rotation_cam_from_world[i] *= -1;
    for (int i : {0, 2}) model.translation_cam_from_world_m[i] *= -1;
    camera = Camera::make(camera.name(), model).value();
  }
  EXPECT_NE(plan_doubt(plan_scene(cameras)).find("upside down"), std::string::npos);
}

TEST(ScenePlan, CamerasThatLookAwayHaveNoCommonView) {
  std::vector<Camera> cameras = ring();
  WorldChange away;
  away.translation_m = {60, 0, 0};
  cameras[0] = in_changed_world(cameras[0], away);
  cameras.resize(2);
  const ScenePlan layout = plan_scene(cameras);
  EXPECT_FALSE(layout.common);
  EXPECT_NE(plan_text(layout).find("no position"), std::string::npos) << plan_text(layout);
  EXPECT_NE(plan_doubt(layout), "");
  cameras.resize(1);
  EXPECT_EQ(plan_doubt(plan_scene(cameras)), "") << "one camera has nobody to see with";
}

}  // namespace
}  // namespace vantage
