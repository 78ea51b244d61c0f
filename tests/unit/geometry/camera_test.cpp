#include "core/geometry/camera.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/reference/projection.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

PinholeCamera<double> plain_model() {
  PinholeCamera<double> model;
  model.width_px = 640, model.height_px = 480;
  model.fx_px = 500, model.fy_px = 510, model.cx_px = 320, model.cy_px = 240;
  return model;
}

TEST(Camera, TheFoldIsWhereTheDistortedRadiusStopsGrowing) {
  constexpr unsigned kSeed = 77;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> unit(-1, 1);
  int folds = 0;
  for (int i = 0; i < 60; ++i) {
    PinholeCamera<double> model = plain_model();
    model.k1 = 0.5 * unit(random), model.k2 = i % 3 ? 0.2 * unit(random) : 0,
    model.k3 = i % 2 ? 0.1 * unit(random) : 0;
    const double found = std::sqrt(Camera::make("c", model)->model().max_radius2);
    const double expected = reference::fold_radius(model);
    SCOPED_TRACE(::testing::Message() << "k " << model.k1 << " " << model.k2 << " " << model.k3);
    if (expected > 49) {
      EXPECT_GT(found, 49);
    } else {
      EXPECT_NEAR(found, expected, 2e-4);
      ++folds;
    }
  }
  EXPECT_GT(folds, 20);
}

TEST(Camera, WithoutLensNothingFolds) {
  EXPECT_EQ(Camera::make("c", plain_model())->model().max_radius2, 1e30);
}

TEST(Camera, UndistortInvertsTheLens) {
  constexpr unsigned kSeed = 78;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    PinholeCamera<double> model = plain_model();
    model.k1 = 0.4 * unit(random), model.k2 = 0.2 * unit(random), model.k3 = 0.05 * unit(random);
    model.p1 = 0.003 * unit(random), model.p2 = 0.003 * unit(random);
    const Camera camera = Camera::make("c", model).value();
    // Up to nine tenths of the fold: nearer, the tangential terms may fold before the radial ones.
    const double reach = std::min(1.2, 0.9 * std::sqrt(camera.model().max_radius2));
    const double angle = 3.2 * unit(random), radius = reach * std::abs(unit(random));
    const Eigen::Vector2d ideal(radius * std::cos(angle), radius * std::sin(angle));
    Eigen::Vector2d seen;
    distort(camera.model(), ideal.x(), ideal.y(), &seen.x(), &seen.y());
    const Eigen::Vector2d pixel(model.fx_px * seen.x() + model.cx_px, model.fy_px * seen.y() + model.cy_px);
    const auto back = camera.undistort(pixel);
    ASSERT_TRUE(back) << "radius " << radius << " of " << std::sqrt(camera.model().max_radius2);
    ASSERT_LT((*back - ideal).norm(), 1e-9);
  }
}

TEST(Camera, PixelsBeyondTheLensHaveNoRay) {
  PinholeCamera<double> model = plain_model();
  model.k1 = -0.4;  // folds at r^2 = 1 / 1.2; the largest distorted radius is 2/3 of that radius
  const Camera camera = Camera::make("c", model).value();
  const double largest_px = 500 * std::sqrt(1 / 1.2) * 2 / 3;
  EXPECT_TRUE(camera.undistort({320 + largest_px - 0.01, 240}));
  EXPECT_FALSE(camera.undistort({320 + largest_px + 0.01, 240}));
  EXPECT_FALSE(camera.undistort({5000, 5000}));
  EXPECT_FALSE(camera.undistort({std::nan(""), 0}));
}

TEST(Camera, ARayPassesThroughWhatItsPixelShows) {
  constexpr unsigned kSeed = 79;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> place(-1, 1);
  const Camera camera = test::ring_camera({}, 0.7);
  for (int i = 0; i < 2000; ++i) {
    const Eigen::Vector3d point(place(random), place(random), 0.5 + place(random));
    const auto pixel = camera.project(point);
    ASSERT_TRUE(pixel);
    const auto ray = camera.ray(*pixel);
    ASSERT_TRUE(ray);
    EXPECT_NEAR(ray->direction_in_world.norm(), 1, 1e-12);
    EXPECT_LT(ray->direction_in_world.cross(point - ray->origin_in_world_m).norm(), 1e-9);
    EXPECT_GT(ray->direction_in_world.dot(point - ray->origin_in_world_m), 0);
  }
}

TEST(Camera, RaysMeetHorizontalPlanes) {
  const Ray down{{1, 2, 3}, Eigen::Vector3d(1, 0, -1).normalized()};
  const auto floor = intersect_horizontal_plane(down, 0);
  ASSERT_TRUE(floor);
  EXPECT_LT((*floor - Eigen::Vector3d(4, 2, 0)).norm(), 1e-12);
  EXPECT_FALSE(intersect_horizontal_plane(down, 4)) << "behind the origin";
  EXPECT_FALSE(intersect_horizontal_plane({{0, 0, 1}, {1, 0, 0}}, 0)) << "parallel";
}

TEST(Camera, PoseAndCenterAgree) {
  const Camera camera = test::ring_camera({}, 1.1);
  EXPECT_LT((camera.cam_from_world() * camera.center_in_world_m()).norm(), 1e-12);
  EXPECT_NEAR(camera.center_in_world_m().z(), 1.5, 1e-12);
  EXPECT_EQ(camera.intrinsics()(0, 2), camera.model().cx_px);
}

TEST(Camera, ThePictureReachesHalfAPixelBeyondItsCentres) {
  const Camera camera = Camera::make("c", plain_model()).value();
  const auto sees = [&](double x_px, double y_px) {
    return camera.sees({(x_px - 320) / 500, (y_px - 240) / 510, 1});
  };
  EXPECT_TRUE(sees(-0.49, -0.49));
  EXPECT_FALSE(sees(-0.51, 0));
  EXPECT_TRUE(sees(639.49, 479.49));
  EXPECT_FALSE(sees(639.51, 479));
  EXPECT_FALSE(sees(0, 479.51));
}

TEST(Camera, WrongModelsAreRefused) {
  const auto refused = [](auto change) {
    PinholeCamera<double> model = plain_model();
    change(model);
    const Result<Camera> camera = Camera::make("left", model);
    return !camera && camera.error().where == "left";
  };
  using Model = PinholeCamera<double>;
  EXPECT_FALSE(refused([](Model&) {}));
  EXPECT_TRUE(refused([](Model& m) { m.width_px = 0; }));
  EXPECT_TRUE(refused([](Model& m) { m.height_px = -1; }));
  EXPECT_TRUE(refused([](Model& m) { m.fx_px = 0; }));
  EXPECT_TRUE(refused([](Model& m) { m.fy_px = -3; }));
  EXPECT_TRUE(refused([](Model& m) { m.k2 = std::nan(""); }));
  EXPECT_TRUE(refused([](Model& m) { m.translation_cam_from_world_m[1] = INFINITY; }));
  EXPECT_TRUE(refused([](Model& m) { m.rotation_cam_from_world[0] = -1; })) << "a mirror";
  EXPECT_TRUE(refused([](Model& m) { m.rotation_cam_from_world[0] = 1.01; }));
}

TEST(Camera, ANearlyOrthonormalRotationIsMadeExact) {
  PinholeCamera<double> model = plain_model();
  model.rotation_cam_from_world[0] = 1.0002;
  model.rotation_cam_from_world[1] = 1e-4;
  const Camera camera = Camera::make("c", model).value();
  const Eigen::Matrix3d r = camera.rotation_cam_from_world();
  EXPECT_LT((r * r.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
  EXPECT_LT((r - Eigen::Matrix3d::Identity()).norm(), 1e-3);
}

// A reduced picture's pixel stands for the middle of the pixels it was made of.
TEST(Camera, MadeSmallerProjectsToTheSamePlace) {
  test::RingOptions ring;
  ring.cameras = 1;
  const Camera camera = test::camera_ring(ring).front();
  const Camera small = camera.reduced(3);
  EXPECT_EQ(small.width_px(), 54);  // 161 / 3, rounded up
  EXPECT_EQ(small.height_px(), 41);
  for (const Eigen::Vector3d& point : {Eigen::Vector3d(0, 0, 0.5), {0.4, -0.7, 1.1}, {-0.5, 0.9, 0.2}}) {
    const Eigen::Vector2d there = *camera.project(point), here = *small.project(point);
    EXPECT_NEAR(3 * here.x() + 1, there.x(), 1e-9);
    EXPECT_NEAR(3 * here.y() + 1, there.y(), 1e-9);
  }
}

}  // namespace
}  // namespace vantage
