#include "core/geometry/projection.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <random>
#include <sstream>

#include "core/geometry/camera.h"
#include "tests/reference/carving.h"
#include "tests/support/camera_ring.h"
#include "tests/support/data.h"
#include "tests/support/uu_voxel.h"

namespace vantage {
namespace {

PinholeCamera<double> random_camera(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  PinholeCamera<double> m = test::ring_camera({.width_px = 640, .height_px = 480}, 3 * unit(random)).model();
  m.k1 = 0.4 * unit(random), m.k2 = 0.2 * unit(random), m.k3 = 0.1 * unit(random);
  m.p1 = 0.01 * unit(random), m.p2 = 0.01 * unit(random);
  return Camera::make("random", m).value().model();
}

TEST(Projection, EqualsTheReferenceInDouble) {
  constexpr unsigned kSeed = 31;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> place(-4, 4);
  int seen = 0;
  for (int i = 0; i < 20000; ++i) {
    const PinholeCamera<double> camera = random_camera(random);
    const Eigen::Vector3d point(place(random), place(random), place(random));
    const reference::Projected p = reference::project_anywhere(camera, point);
    // At the very edge of what is visible rounding decides.
    if (std::abs(p.depth_m) < 1e-3 || std::abs(p.radius * p.radius / camera.max_radius2 - 1) < 1e-9) continue;
    const Pixel<double> pixel = project(camera, point.x(), point.y(), point.z());
    const auto expected = reference::project(camera, point);
    ASSERT_EQ(pixel.in_front, expected.has_value()) << point.transpose();
    if (!expected) continue;
    ++seen;
    const double tolerance = 1e-10 * (1 + expected->norm());
    ASSERT_NEAR(pixel.x, expected->x(), tolerance);
    ASSERT_NEAR(pixel.y, expected->y(), tolerance);
  }
  EXPECT_GT(seen, 4000);
}

// 24 bits of mantissa leave 6e-5 px at pixel 1000; the lens and the camera's place add to that.
TEST(Projection, FloatIsWithinAThousandthOfAPixel) {
  constexpr double kMax_px = 1e-3;
  constexpr unsigned kSeed = 32;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> place(-2.5, 2.5);
  double largest = 0;
  int inside = 0;
  for (int i = 0; i < 50000; ++i) {
    const Camera camera = test::ring_camera({.width_px = 1088, .height_px = 1088}, place(random));
    const PinholeCamera<float> single = cast_camera<float>(camera.model());
    const Eigen::Vector3f point = Eigen::Vector3d(place(random), place(random), place(random)).cast<float>();
    const reference::Projected p = reference::project_anywhere(camera.model(), point.cast<double>());
    if (p.depth_m < 0.2 || !camera.sees(point.cast<double>())) continue;
    ++inside;
    const Pixel<float> pixel = project(single, point.x(), point.y(), point.z());
    ASSERT_TRUE(pixel.in_front);
    largest = std::max({largest, std::abs(pixel.x - p.pixel.x()), std::abs(pixel.y - p.pixel.y())});
  }
  EXPECT_GT(inside, 3000);
  EXPECT_LT(largest, kMax_px);
  RecordProperty("largest_error_px", std::to_string(largest));
}

TEST(Projection, BehindTheCameraAndNotANumberAreNotInFront) {
  const PinholeCamera<double> camera = test::ring_camera({}, 0.3).model();
  const Camera owner = test::ring_camera({}, 0.3);
  const Eigen::Vector3d center = owner.center_in_world_m();
  EXPECT_FALSE(project(camera, center.x(), center.y(), center.z()).in_front);
  const Eigen::Vector3d behind = center * 1.5;
  EXPECT_FALSE(project(camera, behind.x(), behind.y(), behind.z()).in_front);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(project(camera, nan, 0.0, 0.0).in_front);
  EXPECT_FALSE(
      project(cast_camera<float>(camera), 0.0f, std::numeric_limits<float>::quiet_NaN(), 0.0f).in_front);
}

std::vector<Eigen::Vector2d> read_corners(const std::filesystem::path& path) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_file(path.c_str()));
  std::istringstream text(document.child("opencv_storage").child("corners").child("data").text().as_string());
  std::vector<Eigen::Vector2d> corners;
  for (double x, y; text >> x >> y;) corners.emplace_back(x, y);
  return corners;
}

// The board lies on the floor with its first corner at the origin, 8 x 6 corners 0.115 m apart; its corners
// were marked by hand at the ends and interpolated, and the recording's notes give 0.32 to 0.48 px.
TEST(Projection, RealBoardCornersReproject) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
  const std::vector<Camera> cameras = test::uu_voxel_cameras(folder);
  for (int c = 0; c < test::kUuVoxelCameras; ++c) {
    const std::string name = test::uu_voxel_camera(c);
    SCOPED_TRACE(name);
    const Camera& camera = cameras[c];
    const std::vector<Eigen::Vector2d> corners = read_corners(folder / name / "imageCorners.xml");
    ASSERT_EQ(corners.size(), 48u);
    double sum_px = 0, largest_difference = 0;
    for (int i = 0; i < 48; ++i) {
      const Eigen::Vector3d corner(0.115 * (i % 8), 0.115 * (i / 8), 0);
      const auto pixel = camera.project(corner);
      ASSERT_TRUE(pixel);
      sum_px += (*pixel - corners[i]).norm();
      largest_difference =
          std::max(largest_difference, (*pixel - *reference::project(camera.model(), corner)).norm());
    }
    const double error_px = sum_px / 48;
    RecordProperty(name + "_px", std::to_string(error_px));
    EXPECT_GT(error_px, 0.25);
    EXPECT_LT(error_px, 0.55);
    EXPECT_LT(largest_difference, 1e-9);
  }
}

}  // namespace
}  // namespace vantage
