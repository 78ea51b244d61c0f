// Fisheye and rational lenses from boards that OpenCV projects, compared with OpenCV's own calibration of the
// same corners.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <random>

#include "core/calibration/solve/board_detector.h"
#include "core/calibration/solve/board_solve.h"
#include "core/calibration/solve/detail/board_poses.h"
#include "core/calibration/solve/detail/seen_through_lens.h"
#include "core/geometry/lens_inverse.h"
#include "tests/support/drawn_board.h"

namespace vantage {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kLensWidth = 1280, kLensHeight = 960;
constexpr double kLensNoise_px = 0.2, kOneDegree = M_PI / 180;
const Board kLensBoard{9, 6, 0.08};

BundleCamera lens_of(const LensValues& values, LensModel model) {
  BundleCamera camera{.lens = values, .lens_free = {}, .fixed = {}};
  camera.fixed.lens = model;
  return camera;
}

// 170 degrees over the picture's width.
BundleCamera true_fisheye() {
  return lens_of({420, 421.5, 650, 470, 0.02, -0.005, 0, 0, 0.002, -0.0005, 0, 0}, LensModel::fisheye);
}
// 110 degrees.
BundleCamera true_rational() {
  return lens_of({660, 662, 630, 490, 0.75, 0.06, 0.0006, -0.0004, 0.001, 1.1, 0.23, 0.008},
                 LensModel::rational);
}

// By OpenCV, so that the formulas under test are not their own truth.
std::vector<cv::Point2d> projected(const BundleCamera& camera, const std::vector<cv::Point3d>& points,
                                   const PoseValues& pose) {
  const auto& l = camera.lens;
  const cv::Matx33d matrix(l[0], 0, l[2], 0, l[1], l[3], 0, 0, 1);
  const cv::Vec3d rotation(pose[0], pose[1], pose[2]), translation(pose[3], pose[4], pose[5]);
  const std::vector<double> coefficients = lens_coefficients(lens_with(l, camera.fixed));
  std::vector<cv::Point2d> pixels;
  if (camera.fixed.lens == LensModel::fisheye)
    cv::fisheye::projectPoints(points, pixels, rotation, translation, matrix, coefficients);
  else
    cv::projectPoints(points, rotation, translation, matrix, coefficients, pixels);
  return pixels;
}

struct CarriedBoard {
  int views = 24;
  double max_off_axis_rad = 0, distance_m = 0.5;
};

// What lies within the picture and up to max_angle_rad off the axis.
template <typename Project>
std::vector<BoardView> views_of(const CarriedBoard& carried, double max_angle_rad, unsigned seed,
                                const Project& project) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, kLensNoise_px);
  std::vector<BoardView> views;
  while (static_cast<int>(views.size()) < carried.views) {
    const Isometry3d pose =
        test::carried_board(kLensBoard, carried.max_off_axis_rad, carried.distance_m, &random);
    BoardView view{0, static_cast<int64_t>(views.size()), {}};
    for (int i = 0; i < kLensBoard.corner_count(); ++i) {
      const Vector3d at = pose * Vector3d(kLensBoard.x_m(i), kLensBoard.y_m(i), 0);
      if (std::atan2(at.head<2>().norm(), at.z()) > max_angle_rad) continue;
      const Vector2d pixel = project(at) + Vector2d(noise(random), noise(random));
      if (pixel.x() >= 0 && pixel.x() < kLensWidth && pixel.y() >= 0 && pixel.y() < kLensHeight)
        view.corners.push_back({i, pixel.x(), pixel.y()});
    }
    if (view.corners.size() >= 27) views.push_back(view);
  }
  return views;
}

std::vector<BoardView> views_by_opencv(const BundleCamera& camera, const CarriedBoard& carried,
                                       double max_angle_rad, unsigned seed) {
  return views_of(carried, max_angle_rad, seed, [&](const Vector3d& at) {
    const cv::Point2d pixel = projected(camera, {{at.x(), at.y(), at.z()}}, {})[0];
    return Vector2d(pixel.x, pixel.y);
  });
}

BoardsInput input_of(std::vector<BoardView> views, LensModel model) {
  BoardCamera camera{.name = "cam1", .width_px = kLensWidth, .height_px = kLensHeight, .given = {}};
  camera.model = model;
  return {.boards = {kLensBoard}, .cameras = {camera}, .views = {}, .lens_views = std::move(views)};
}

// Root mean square of the corners' distances after OpenCV's calibration.
double rms_by_opencv(const std::vector<BoardView>& views, const BundleCamera& start) {
  std::vector<std::vector<cv::Point3f>> objects;
  std::vector<std::vector<cv::Point2f>> pictures;
  for (const BoardView& view : views) {
    objects.emplace_back(), pictures.emplace_back();
    for (const BoardCorner& corner : view.corners) {
      objects.back().emplace_back(static_cast<float>(kLensBoard.x_m(corner.index)),
                                  static_cast<float>(kLensBoard.y_m(corner.index)), 0.F);
      pictures.back().emplace_back(static_cast<float>(corner.x_px), static_cast<float>(corner.y_px));
    }
  }
  const auto& l = start.lens;
  cv::Mat matrix(cv::Matx33d(l[0], 0, l[2], 0, l[1], l[3], 0, 0, 1));
  cv::Mat coefficients(lens_coefficients(lens_with(l, start.fixed)), true);
  std::vector<cv::Mat> rotations, translations;
  const cv::TermCriteria until(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 200, 1e-12);
  if (start.fixed.lens == LensModel::fisheye)
    return cv::fisheye::calibrate(objects, pictures, {kLensWidth, kLensHeight}, matrix, coefficients,
                                  rotations, translations,
                                  cv::fisheye::CALIB_USE_INTRINSIC_GUESS |
                                      cv::fisheye::CALIB_RECOMPUTE_EXTRINSIC | cv::fisheye::CALIB_FIX_SKEW,
                                  until);
  return cv::calibrateCamera(objects, pictures, {kLensWidth, kLensHeight}, matrix, coefficients, rotations,
                             translations, cv::CALIB_USE_INTRINSIC_GUESS | cv::CALIB_RATIONAL_MODEL, until);
}

// Mean squares of what was found less the truth, over the variance that was predicted.
struct LensRatios {
  double focal2 = 0, center2 = 0, projection2 = 0;
};

Vector2d shown_at(const LensValues& lens, const Lens<double>& fixed, const Vector3d& direction) {
  Vector2d at;
  EXPECT_TRUE(project_seen(lens.data(), fixed, direction.data(), &at.x(), &at.y()));
  return at;
}

// Directions over the picture, in the camera's own axes, and the covariance of all lens values together.
double projection_ratio2(const BundleCamera& truth, const std::vector<BoardView>& views,
                         const CameraSolution& solved, double max_angle_rad) {
  Bundle bundle;
  BundleCamera camera = lens_of(lens_values(solved.camera.model()), truth.fixed.lens);
  camera.pose_free = false, camera.lens_free = solved.lens_free;
  bundle.cameras.push_back(camera);
  for (const BoardView& view : views) {
    bundle.boards.push_back({pose_values(*guess_pose(kLensBoard, view, camera)), true});
    for (const BoardCorner& corner : view.corners)
      bundle.corners.push_back({0, static_cast<int>(bundle.boards.size()) - 1, kLensBoard.x_m(corner.index),
                                kLensBoard.y_m(corner.index), corner.x_px, corner.y_px});
  }
  const auto report = adjust(&bundle);
  EXPECT_TRUE(report && report->undetermined.empty());
  double ratio2 = 0;
  int count = 0;
  for (const double share : {0.2, 0.4, 0.6, 0.8, 0.95})
    for (int step = 0; step < 8; ++step) {
      const double off = share * max_angle_rad, about = step * M_PI / 4;
      const Vector3d direction(std::sin(off) * std::cos(about), std::sin(off) * std::sin(about),
                               std::cos(off));
      const Vector2d expected = shown_at(truth.lens, truth.fixed, direction);
      if (expected.x() < 0 || expected.x() >= kLensWidth || expected.y() < 0 || expected.y() >= kLensHeight)
        continue;
      const LensValues& lens = bundle.cameras[0].lens;
      Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(2, report->covariance.rows());
      for (size_t i = 0; i < kLensValues; ++i) {
        if (report->lens_index[0][i] < 0) continue;
        LensValues more = lens, less = lens;
        const double size = 1e-6 * std::max(1.0, std::abs(lens[i]));
        more[i] += size, less[i] -= size;
        slope.col(report->lens_index[0][i]) =
            (shown_at(more, truth.fixed, direction) - shown_at(less, truth.fixed, direction)) / (2 * size);
      }
      const Eigen::Matrix2d covariance = slope * report->covariance * slope.transpose();
      const Vector2d error = shown_at(lens, truth.fixed, direction) - expected;
      ratio2 += error.dot(covariance.inverse() * error) / 2, ++count;
    }
  EXPECT_GT(count, 20);
  return ratio2 / count;
}

void compare_with_opencv(const BundleCamera& truth, const CarriedBoard& carried, double max_angle_rad) {
  constexpr unsigned kTrials = 10;
  LensRatios ratios;
  unsigned whole = 0;
  for (unsigned seed = 0; seed < kTrials; ++seed) {
    const auto views = views_by_opencv(truth, carried, max_angle_rad, seed);
    const auto solution = solve_boards(input_of(views, truth.fixed.lens), {.half_turned = {}});
    ASSERT_TRUE(solution) << solution.error().message();
    const CameraSolution& solved = solution->cameras[0];
    const size_t last = truth.fixed.lens == LensModel::rational ? kK6 : kK4;
    whole += solved.lens_free[last] ? 1 : 0;
    if (!solved.lens_free[last])
      EXPECT_NE(solved.held.at(0).find(kLensNames[last]), std::string::npos) << solved.held[0];
    const double rms_px = rms_by_opencv(views, truth);
    EXPECT_NEAR(solved.rms_px / rms_px, 1, 0.02) << seed;
    const PinholeCamera<double>& m = solved.camera.model();
    const LensValues found = lens_values(m);
    for (const size_t value : {kFx, kFy})
      ratios.focal2 +=
          std::pow((found[value] - truth.lens[value]) / solved.lens_std[value], 2) / (2 * kTrials);
    for (const size_t value : {kCx, kCy})
      ratios.center2 +=
          std::pow((found[value] - truth.lens[value]) / solved.lens_std[value], 2) / (2 * kTrials);
    ratios.projection2 += projection_ratio2(truth, views, solved, max_angle_rad) / kTrials;
    if (seed == 0)
      fmt::print(
          "RMS {:.4f} px (OpenCV {:.4f}), fx {:.2f} +- {:.2f} ({:.2f}), cx {:.2f} +- {:.2f} ({:.2f})\n",
          solved.rms_px, rms_px, m.fx_px, solved.lens_std[kFx], truth.lens[kFx], m.cx_px,
          solved.lens_std[kCx], truth.lens[kCx]);
  }
  fmt::print("errors over predicted ones: focal {:.2f}, centre {:.2f}, projections {:.2f}\n",
             std::sqrt(ratios.focal2), std::sqrt(ratios.center2), std::sqrt(ratios.projection2));
  EXPECT_GE(whole, kTrials - 2);
  for (const double ratio2 : {ratios.focal2, ratios.center2, ratios.projection2}) {
    EXPECT_GT(std::sqrt(ratio2), 0.7);
    EXPECT_LT(std::sqrt(ratio2), 1.4);
  }
}

TEST(LensSolve, FisheyeOf170DegreesAsOpenCv) {
  compare_with_opencv(true_fisheye(), {.max_off_axis_rad = 65 * kOneDegree}, 85 * kOneDegree);
}

TEST(LensSolve, RationalAsOpenCv) {
  compare_with_opencv(true_rational(), {.max_off_axis_rad = 65 * kOneDegree}, 80 * kOneDegree);
}

// Corners up to 100 degrees off the axis, which no X / Z can show; nothing is known but the model.
TEST(LensSolve, FisheyeBeyond180Degrees) {
  for (const double focal_px : {260.0, 380.0}) {
    const LensValues truth = {focal_px, focal_px, 655, 470, -0.03, 0.006, 0, 0, -0.001, 0.0001, 0, 0};
    const auto project = [&](const Vector3d& at) {
      const double angle = std::acos(at.z() / at.norm()), u = angle * angle;
      const double bent = angle * (1 - 0.03 * u + 0.006 * u * u - 0.001 * u * u * u + 0.0001 * u * u * u * u);
      return Vector2d(Vector2d(655, 470) + focal_px * bent * at.head<2>().normalized());
    };
    const auto views =
        views_of({.views = 30, .max_off_axis_rad = 80 * kOneDegree}, 100 * kOneDegree, 5, project);
    const auto solution = solve_boards(input_of(views, LensModel::fisheye), {.half_turned = {}});
    ASSERT_TRUE(solution) << solution.error().message();
    const CameraSolution& solved = solution->cameras[0];
    EXPECT_TRUE(solved.held.empty()) << solved.held[0];
    EXPECT_NEAR(solved.rms_px, kLensNoise_px * std::sqrt(2.0), 0.02);
    const LensValues found = lens_values(solved.camera.model());
    for (const size_t value : {kFx, kFy, kCx, kCy})
      EXPECT_NEAR(found[value], truth[value], 4 * solved.lens_std[value]) << kLensNames[value];
  }
}

// From pictures of a camera of 160 degrees over their width, of which nothing is known but the model.
TEST(LensSolve, FisheyeFromPictures) {
  PinholeCamera<double> m;
  m.width_px = kLensWidth, m.height_px = kLensHeight;
  m.lens = LensModel::fisheye;
  m.fx_px = 450, m.fy_px = 451, m.cx_px = 633, m.cy_px = 485, m.k1 = 0.03, m.k2 = -0.01;
  const test::BoardPainter painter(*Camera::make("cam1", m));
  std::mt19937 random(8);
  std::vector<BoardView> views;
  constexpr int kPictures = 24;
  for (int i = 0; i < kPictures; ++i) {
    const auto picture =
        painter.paint(kLensBoard, test::carried_board(kLensBoard, 55 * kOneDegree, 0.8, &random));
    const auto corners = find_board({picture.data(), kLensWidth, kLensHeight, kLensWidth}, kLensBoard);
    if (corners) views.push_back({0, i, *corners});
  }
  fmt::print("found in {} of {} pictures\n", views.size(), kPictures);
  ASSERT_GE(views.size(), 16u);
  const auto solution = solve_boards(input_of(views, LensModel::fisheye), {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  const CameraSolution& solved = solution->cameras[0];
  const PinholeCamera<double>& found = solved.camera.model();
  fmt::print("RMS {:.3f} px, fx {:.2f} +- {:.2f}, cx {:.2f} +- {:.2f}\n", solved.rms_px, found.fx_px,
             solved.lens_std[kFx], found.cx_px, solved.lens_std[kCx]);
  EXPECT_LT(solved.rms_px, 0.3);
  EXPECT_NEAR(found.fx_px, m.fx_px, 1.5);
  EXPECT_NEAR(found.fy_px, m.fy_px, 1.5);
  EXPECT_NEAR(found.cx_px, m.cx_px, 1.5);
  EXPECT_NEAR(found.cy_px, m.cy_px, 1.5);
}

// A board that stays in the middle says nothing of how the edge is bent.
TEST(LensSolve, CoefficientsThatNothingDeterminesAreHeldAndNamed) {
  const auto views = views_by_opencv(true_fisheye(), {.max_off_axis_rad = 3 * kOneDegree, .distance_m = 3},
                                     85 * kOneDegree, 3);
  const auto solution = solve_boards(input_of(views, LensModel::fisheye), {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  const CameraSolution& solved = solution->cameras[0];
  ASSERT_EQ(solved.held.size(), 1u);
  EXPECT_NE(solved.held[0].find("k4"), std::string::npos) << solved.held[0];
  EXPECT_FALSE(solved.lens_free[kK4]);
  EXPECT_EQ(solved.camera.model().k4, 0);
  EXPECT_EQ(solved.camera.model().lens, LensModel::fisheye);
}

// Corners up to 45 degrees of a picture that shows 85: what the corners need is solved, and that nothing is
// known beyond them is said.
TEST(LensSolve, AsManyCoefficientsAsTheCornersNeed) {
  BundleCamera truth = true_fisheye();
  truth.lens[kK1] = 0.15, truth.lens[kK2] = -0.25, truth.lens[kK3] = 0.12, truth.lens[kK4] = -0.02;
  const auto views =
      views_by_opencv(truth, {.max_off_axis_rad = 25 * kOneDegree, .distance_m = 0.6}, 45 * kOneDegree, 6);
  const auto solution = solve_boards(input_of(views, LensModel::fisheye), {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  const CameraSolution& solved = solution->cameras[0];
  EXPECT_LT(solved.rms_px, 1.02 * rms_by_opencv(views, truth));
  ASSERT_EQ(solved.held.size(), 1u);
  EXPECT_NE(solved.held[0].find("farther out"), std::string::npos) << solved.held[0];
}

// A lens that is given is solved in its own model; another one where that is asked for, and only as a whole.
TEST(LensSolve, AGivenLensKeepsItsModelUnlessAnotherIsAskedFor) {
  const BundleCamera truth = true_fisheye();
  const auto views = views_by_opencv(truth, {.max_off_axis_rad = 65 * kOneDegree}, 85 * kOneDegree, 7);
  BoardsInput input = input_of(views, LensModel::fisheye);
  input.cameras[0].model.reset(), input.cameras[0].solve_lens = true;
  PinholeCamera<double> m;
  m.width_px = kLensWidth, m.height_px = kLensHeight;
  m.fx_px = m.fy_px = 400, m.cx_px = 640, m.cy_px = 480;
  m.lens = LensModel::fisheye;
  input.cameras[0].given = *Camera::make("cam1", m);
  const auto kept = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_EQ(kept->cameras[0].camera.model().lens, LensModel::fisheye);
  EXPECT_NEAR(kept->cameras[0].camera.model().fx_px, 420, 4 * kept->cameras[0].lens_std[kFx]);

  m.lens = LensModel::polynomial, m.fx_px = m.fy_px = 700;
  input.cameras[0].given = *Camera::make("cam1", m), input.cameras[0].model = LensModel::fisheye;
  const auto changed = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(changed) << changed.error().message();
  EXPECT_EQ(changed->cameras[0].camera.model().lens, LensModel::fisheye);
  EXPECT_NEAR(changed->cameras[0].camera.model().fx_px, kept->cameras[0].camera.model().fx_px, 1e-3);

  input.lens_views = {views[0]};
  input.lens_views[0].corners.resize(8);
  const auto held = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(held) << held.error().message();
  EXPECT_EQ(held->cameras[0].camera.model().lens, LensModel::polynomial);
  EXPECT_EQ(held->cameras[0].held.size(), 1u);
}

// Without a pose to solve.
TEST(LensSolve, AHeldLensIsJudgedByItsViews) {
  const BundleCamera truth = true_fisheye();
  BoardsInput input = input_of(
      views_by_opencv(truth, {.max_off_axis_rad = 65 * kOneDegree}, 85 * kOneDegree, 7), LensModel::fisheye);
  PinholeCamera<double> m;
  static_cast<Lens<double>&>(m) = lens_with(truth.lens, truth.fixed);
  m.width_px = kLensWidth, m.height_px = kLensHeight;
  m.fx_px = truth.lens[kFx], m.fy_px = truth.lens[kFy], m.cx_px = truth.lens[kCx], m.cy_px = truth.lens[kCy];
  input.cameras[0].given = *Camera::make("cam1", m);
  const auto solution = solve_boards(input, {.half_turned = {}});
  ASSERT_TRUE(solution) << solution.error().message();
  EXPECT_FALSE(solution->cameras[0].lens_free[kFx]);
  EXPECT_EQ(solution->cameras[0].pictures, 24);
  EXPECT_NEAR(solution->cameras[0].rms_px, kLensNoise_px * std::sqrt(2.0), 0.02);
}

}  // namespace
}  // namespace vantage
