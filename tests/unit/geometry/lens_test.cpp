// Lenses beside OpenCV's projectPoints and fisheye::projectPoints, which are their truth.
#include "core/geometry/lens.h"

#include <gtest/gtest.h>

#include <opencv2/calib3d.hpp>
#include <random>

#include "core/geometry/camera.h"
#include "core/geometry/lens_inverse.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

constexpr double kMaxOff_px = 1e-6;

// As far as OpenCV has them: 8, 12 or 14 coefficients, or a fisheye's four.
PinholeCamera<double> random_model(std::mt19937& random, int coefficients) {
  std::uniform_real_distribution<double> unit(-1, 1);
  PinholeCamera<double> m = test::ring_camera({.width_px = 1280, .height_px = 960}, 3 * unit(random)).model();
  if (coefficients == 4) {
    m.lens = LensModel::fisheye, m.p1 = m.p2 = 0;
    m.k1 = 0.05 * unit(random), m.k2 = 0.02 * unit(random), m.k3 = 0.01 * unit(random);
    m.k4 = 0.005 * unit(random);
    return m;
  }
  m.lens = LensModel::rational;
  m.k1 = 0.4 * unit(random), m.k2 = 0.2 * unit(random), m.k3 = 0.1 * unit(random);
  m.p1 = 0.01 * unit(random), m.p2 = 0.01 * unit(random);
  m.k4 = 0.3 * unit(random), m.k5 = 0.1 * unit(random), m.k6 = 0.1 + 0.05 * unit(random);
  if (coefficients > 8)
    m.s1 = 0.01 * unit(random), m.s2 = 0.004 * unit(random), m.s3 = 0.01 * unit(random),
    m.s4 = 0.004 * unit(random);
  if (coefficients > 12) m.tau_x = 0.1 * unit(random), m.tau_y = 0.1 * unit(random);
  return m;
}

cv::Point2d projected_by_opencv(const Camera& camera, const Eigen::Vector3d& point) {
  const PinholeCamera<double>& m = camera.model();
  const Eigen::Vector3d seen = camera.cam_from_world() * point;
  const std::vector<cv::Point3d> points = {{seen.x(), seen.y(), seen.z()}};
  const cv::Matx33d matrix(m.fx_px, 0, m.cx_px, 0, m.fy_px, m.cy_px, 0, 0, 1);
  const std::vector<double> coefficients = lens_coefficients(m);
  const cv::Vec3d none(0, 0, 0);
  std::vector<cv::Point2d> pixels;
  if (m.lens == LensModel::fisheye)
    cv::fisheye::projectPoints(points, pixels, none, none, matrix, coefficients);
  else
    cv::projectPoints(points, none, none, matrix, coefficients, pixels);
  return pixels[0];
}

TEST(Lens, ProjectsAsOpenCvDoes) {
  constexpr unsigned kSeed = 41;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> place(-4, 4);
  for (const int coefficients : {8, 12, 14, 4}) {
    int seen = 0;
    double largest_px = 0;
    for (int i = 0; i < 4000; ++i) {
      const Camera camera = Camera::make("lens", random_model(random, coefficients)).value();
      EXPECT_EQ(lens_coefficients(camera.model()).size(), static_cast<size_t>(coefficients));
      const Eigen::Vector3d point(place(random), place(random), place(random));
      const auto pixel = camera.project(point);
      if (!pixel || (camera.cam_from_world() * point).z() < 1e-3) continue;
      ++seen;
      const cv::Point2d expected = projected_by_opencv(camera, point);
      const double scale = 1 + std::hypot(expected.x, expected.y) / 1e4;  // far outside the picture
      largest_px = std::max(largest_px, std::hypot(pixel->x() - expected.x, pixel->y() - expected.y) / scale);
    }
    EXPECT_GT(seen, 1000) << coefficients;
    EXPECT_LT(largest_px, kMaxOff_px) << coefficients;
  }
}

TEST(Lens, IsInverted) {
  std::mt19937 random(42);
  std::uniform_real_distribution<double> turn(0, 6.2831853), share(0, 1);
  for (const int coefficients : {8, 12, 14, 4}) {
    double furthest = 0;
    int missed = 0;
    for (int i = 0; i < 4000; ++i) {
      const Camera camera = Camera::make("lens", random_model(random, coefficients)).value();
      const Lens<double>& lens = camera.model();
      // A fisheye nearly to its end, others as wide as lenses of such models are.
      const double end = std::sqrt(lens.max_radius2);
      const double wide = coefficients == 4 ? std::tan(0.98 * std::atan(end)) : std::min(0.9 * end, 1.2);
      const double radius = wide * share(random), angle = turn(random);
      const Eigen::Vector2d ideal(radius * std::cos(angle), radius * std::sin(angle));
      Eigen::Vector2d bent;
      distort(lens, ideal.x(), ideal.y(), &bent.x(), &bent.y());
      const auto back = straightened(lens, bent);
      // Decentred lenses, prisms and tilts of such strength fold before the radius does.
      missed += !back;
      if (!back) continue;
      Eigen::Vector2d again;
      distort(lens, back->x(), back->y(), &again.x(), &again.y());
      EXPECT_LT((again - bent).norm(), 2e-12 * std::max(1.0, bent.norm()));
      if (coefficients == 4 || coefficients == 8)
        furthest = std::max(furthest, (*back - ideal).norm() / (1 + ideal.squaredNorm()));
    }
    EXPECT_LT(furthest, 1e-7) << coefficients;
    EXPECT_LE(missed, coefficients == 4 ? 0 : 80) << coefficients;
  }
}

// By walking along the radius.
double fold_of(const Lens<double>& lens) {
  double before = 0;
  for (double angle = 1e-4; angle < 1.57; angle += 1e-4) {
    const double r = std::tan(angle);
    double bent = 0, aside = 0;
    Lens<double> radial = lens;
    radial.p1 = radial.p2 = radial.s1 = radial.s2 = radial.s3 = radial.s4 = 0;
    radial.tau_x = radial.tau_y = 0;
    complete_lens(&radial);
    distort(radial, r, 0.0, &bent, &aside);
    if (bent <= before) return angle;
    before = bent;
  }
  return 1.57;
}

TEST(Lens, EndsWhereItFoldsBack) {
  std::mt19937 random(43);
  int folded = 0;
  for (int i = 0; i < 40; ++i) {
    const int coefficients = i % 2 ? 4 : 8;
    PinholeCamera<double> model = random_model(random, coefficients);
    if (coefficients == 4) model.k1 *= 6;
    const Camera camera = Camera::make("lens", model).value();
    const double end = std::atan(std::sqrt(camera.model().max_radius2)), walked = fold_of(camera.model());
    if (walked > 1.55) continue;
    ++folded;
    EXPECT_NEAR(end, walked, 3e-4) << coefficients;
  }
  EXPECT_GT(folded, 8);
}

TEST(Lens, AFisheyeShowsNothingAtTheRightAngle) {
  PinholeCamera<double> model = test::ring_camera({}, 0.3).model();
  static_cast<Lens<double>&>(model) = {};
  model.lens = LensModel::fisheye;
  const Camera camera = Camera::make("lens", model).value();
  const Eigen::Isometry3d world_from_camera = camera.cam_from_world().inverse();
  const auto at = [&](double degrees) {
    const double angle = degrees * M_PI / 180;
    return camera.project(world_from_camera * Eigen::Vector3d(std::sin(angle), 0, std::cos(angle)));
  };
  ASSERT_TRUE(at(89));
  EXPECT_NEAR(at(89)->x(), model.cx_px + model.fx_px * 89 * M_PI / 180, 1e-9);
  EXPECT_FALSE(at(89.9));
  EXPECT_FALSE(at(120));
  EXPECT_FALSE(camera.ray({model.cx_px + model.fx_px * 1.6, model.cy_px}));
}

// 24 bits of mantissa leave 6e-5 px at pixel 1000; the lens and the camera's place add to that.
TEST(Lens, InFloatIsWithinAThousandthOfAPixel) {
  std::mt19937 random(44);
  std::uniform_real_distribution<double> place(-2.5, 2.5);
  for (const LensModel lens : test::kLensModels) {
    double largest_px = 0;
    int inside = 0;
    for (int i = 0; i < 20000; ++i) {
      const Camera camera =
          test::ring_camera({.width_px = 1088, .height_px = 1088, .lens = lens}, place(random));
      const Eigen::Vector3f point =
          Eigen::Vector3d(place(random), place(random), place(random)).cast<float>();
      const auto expected = camera.project(point.cast<double>());
      if (!expected || !camera.sees(point.cast<double>()) ||
          (camera.cam_from_world() * point.cast<double>()).z() < 0.2)
        continue;
      ++inside;
      const Pixel<float> pixel = project(cast_camera<float>(camera.model()), point.x(), point.y(), point.z());
      ASSERT_TRUE(pixel.in_front);
      largest_px =
          std::max({largest_px, std::abs(pixel.x - expected->x()), std::abs(pixel.y - expected->y())});
    }
    EXPECT_GT(inside, 1000);
    EXPECT_LT(largest_px, 1e-3) << lens_model_name(lens);
  }
}

TEST(Lens, AnglesInFloatAreGood) {
  double largest = 0;
  for (float value = 0; value < 4000; value = value * 1.0009F + 1e-5F)
    largest = std::max(largest, std::abs(lens_angle(value) - std::atan(static_cast<double>(value))));
  EXPECT_LT(largest, 1.5e-7);
}

}  // namespace
}  // namespace vantage
