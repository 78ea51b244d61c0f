#include "core/calibration/solve/measure.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/calibration/solve/board_solve.h"
#include "tests/unit/calibrate/clicked_room.h"

namespace vantage {
namespace {

MeasureClick click(const Camera& camera, const Eigen::Vector3d& point) {
  return {camera.name(), clicked_room::pixel_of(camera, point)};
}

TEST(Measure, DistancesHeightsAndAnglesThroughTheLens) {
  const std::vector<Camera> cameras = clicked_room::cameras();
  const Eigen::Vector3d a(-0.8, 0.3, 0), b(0.7, -0.5, 0), c(0.2, 0.9, 0);
  const auto distance =
      measured(MeasureKind::distance, std::vector{click(cameras[0], a), click(cameras[2], b)}, cameras);
  ASSERT_TRUE(distance && distance->value);
  EXPECT_NEAR(*distance->value, 1.7, 1e-6);
  EXPECT_LT((distance->points_m[1] - b).norm(), 1e-6);
  EXPECT_FALSE(distance->std) << "nothing is known of the cameras";
  // The foot in one picture, the top in another.
  const auto height = measured(
      MeasureKind::height,
      std::vector{click(cameras[1], a), click(cameras[3], a + Eigen::Vector3d(0, 0, 1.234))}, cameras);
  ASSERT_TRUE(height && height->value);
  EXPECT_NEAR(*height->value, 1.234, 1e-6);
  const auto angle = measured(
      MeasureKind::angle,
      std::vector{click(cameras[0], b), click(cameras[0], a), MeasureClick{"", c.head<2>()}}, cameras);
  ASSERT_TRUE(angle && angle->value);
  const double expected = std::acos((b - a).normalized().dot((c - a).normalized())) * 180 / M_PI;
  EXPECT_NEAR(*angle->value, expected, 1e-6);
}

TEST(Measure, WhatShowsNoPlaceIsNotMeasured) {
  const std::vector<Camera> cameras = clicked_room::cameras();
  const MeasureClick on = click(cameras[0], {0, 0, 0});
  const MeasureClick sky{"cam1", {640, -3000}}, unknown{"cam9", {640, 480}}, scene{"", {0, 0}};
  EXPECT_FALSE(measured(MeasureKind::distance, std::vector{on, sky}, cameras));
  EXPECT_FALSE(measured(MeasureKind::distance, std::vector{unknown}, cameras));
  EXPECT_FALSE(measured(MeasureKind::height, std::vector{on, scene}, cameras)) << "nothing is above the plan";
  const auto begun = measured(MeasureKind::distance, std::vector{on}, cameras);
  ASSERT_TRUE(begun);
  EXPECT_FALSE(begun->value);
  EXPECT_FALSE(measured(MeasureKind::angle, std::vector{on, on, on}, cameras)->value)
      << "arms without length";
}

// Clicks with noise by cameras that stand otherwise than known, drawn from the covariance: the values scatter
// as the standard deviation says.
TEST(Measure, TheStandardDeviationIsThatOfTheValues) {
  const std::vector<Camera> cameras = clicked_room::cameras();
  CameraChange sigma;
  sigma << 0.001, 0.0015, 0.002, 0.004, 0.003, 0.005, 0.001;
  const ChangeCovariance covariance = sigma.cwiseAbs2().asDiagonal();
  std::vector<SolvedTogether> solved;
  for (const Camera& camera : cameras) solved.push_back(solved_alone(camera, covariance));
  const Eigen::Vector3d a(-0.8, 0.3, 0), b(0.7, -0.5, 0), top = a + Eigen::Vector3d(0, 0, 1.7);
  const struct {
    MeasureKind kind;
    std::vector<MeasureClick> clicks;
  } cases[] = {{MeasureKind::distance, {click(cameras[0], a), click(cameras[0], b)}},
               {MeasureKind::distance, {click(cameras[0], a), click(cameras[1], b)}},
               {MeasureKind::height, {click(cameras[2], a), click(cameras[2], top)}},
               {MeasureKind::angle, {click(cameras[0], a), click(cameras[0], b), click(cameras[0], -a)}}};
  std::mt19937 random(4);
  std::normal_distribution<double> normal(0, 1);
  for (const auto& [kind, clicks] : cases) {
    const auto exact = measured(kind, clicks, cameras, solved);
    ASSERT_TRUE(exact && exact->std);
    constexpr int kDraws = 3000;
    double squares = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      std::vector<Camera> moved = cameras;
      std::vector<MeasureClick> noisy = clicks;
      for (Camera& camera : moved) {
        CameraChange change;
        for (int p = 0; p < kChanges; ++p) change[p] = sigma[p] * normal(random);
        camera = changed_camera(camera, change).value();
      }
      for (MeasureClick& one : noisy) one.at += Eigen::Vector2d(normal(random), normal(random));
      squares += std::pow(measured(kind, noisy, moved).value().value.value() - *exact->value, 2);
    }
    const double ratio = std::sqrt(squares / kDraws) / *exact->std;
    EXPECT_GT(ratio, 0.93) << static_cast<int>(kind);
    EXPECT_LT(ratio, 1.07) << static_cast<int>(kind);
  }
  std::vector<SolvedTogether> one_less = solved;
  one_less.erase(one_less.begin() + 1);
  EXPECT_FALSE(measured(MeasureKind::distance, cases[1].clicks, cameras, one_less)->std)
      << "one camera is not known";
  std::vector<Camera> elsewhere = cameras;
  elsewhere[1] = changed_camera(cameras[1], 1e-4 * CameraChange::Unit(3)).value();
  EXPECT_FALSE(measured(MeasureKind::distance, cases[1].clicks, elsewhere, solved)->std)
      << "it was moved since it was solved";
}

// Two cameras whose centres are wrong by the same: a distance from one's click to the other's is not.
TEST(Measure, ErrorsThatCamerasShareCancel) {
  const std::vector<Camera> cameras = clicked_room::cameras();
  const std::vector<MeasureClick> clicks{click(cameras[0], {-0.8, 0.3, 0}), click(cameras[1], {0.7, 0.3, 0})};
  SolvedTogether solved{{cameras[0], cameras[1]},
                        Eigen::MatrixXd::Zero(2 * kCameraValues, 2 * kCameraValues)};
  const Eigen::Index x[] = {3, kCameraValues + 3};
  for (const Eigen::Index a : x) solved.covariance(a, a) = 0.01 * 0.01;
  const double apart = *measured(MeasureKind::distance, clicks, cameras, std::vector{solved})->std;
  solved.covariance(x[0], x[1]) = solved.covariance(x[1], x[0]) = 0.01 * 0.01;
  const double shared = *measured(MeasureKind::distance, clicks, cameras, std::vector{solved})->std;
  solved.covariance.setZero();
  const double exact = *measured(MeasureKind::distance, clicks, cameras, std::vector{solved})->std;
  EXPECT_NEAR(shared, exact, 1e-6);
  EXPECT_NEAR(apart, std::hypot(exact, 0.01 * std::sqrt(2.0)), 2e-4);
}

// A board laid on the floor and carried about, seen by all cameras with noise, and shown to each alone for
// its lens.
class SeenBoards {
 public:
  SeenBoards(const std::vector<Camera>& cameras, bool solve_lens, unsigned seed)
      : cameras_(cameras), random_(seed) {
    for (const Camera& camera : cameras) {
      BoardCamera one{.name = camera.name(), .width_px = camera.width_px(), .height_px = camera.height_px()};
      one.given = camera, one.given_pose = true, one.solve_lens = solve_lens;
      input.cameras.push_back(one);
    }
    for (int64_t instant = 0; instant < 6; ++instant) {
      const Eigen::Isometry3d carried = turned_at({1.1 * unit(), 1.1 * unit(), 0.8 + 0.5 * unit()});
      for (size_t c = 0; c < cameras.size(); ++c)
        input.views.push_back(view(c, instant, instant == 0 ? Eigen::Isometry3d::Identity() : carried));
    }
    for (int64_t picture = 0; solve_lens && picture < 12; ++picture)
      for (size_t c = 0; c < cameras.size(); ++c)
        input.lens_views.push_back(
            view(c, picture,
                 cameras[c].cam_from_world().inverse() *
                     turned_at({0.4 * unit() - 0.4, 0.3 * unit() - 0.3, 1.4 + 0.2 * unit()})));
  }

  BoardsInput input{.boards = {Board{5, 4, 0.2}}, .cameras = {}, .views = {}, .lens_views = {}};

 private:
  double unit() { return std::uniform_real_distribution<double>(-1, 1)(poses_); }
  Eigen::Isometry3d turned_at(const Eigen::Vector3d& place) {
    Eigen::Isometry3d board = Eigen::Isometry3d::Identity();
    board.translation() = place;
    board.linear() =
        Eigen::AngleAxisd(0.6, Eigen::Vector3d(unit(), unit(), 0.3 * unit()).normalized()).toRotationMatrix();
    return board;
  }
  BoardView view(size_t camera, int64_t instant, const Eigen::Isometry3d& world_from_board) {
    std::normal_distribution<double> noise(0, 0.3);
    BoardView seen{static_cast<int>(camera), instant, {}};
    for (int i = 0; i < input.boards[0].corner_count(); ++i) {
      const Eigen::Vector3d corner(input.boards[0].x_m(i), input.boards[0].y_m(i), 0);
      const Eigen::Vector2d at = clicked_room::pixel_of(cameras_[camera], world_from_board * corner);
      seen.corners.push_back({i, at.x() + noise(random_), at.y() + noise(random_)});
    }
    return seen;
  }

  const std::vector<Camera>& cameras_;
  std::mt19937 random_, poses_{11};  // the same boards in every draw
};

// Cameras solved again and again from noisy boards: what is measured through them scatters as is said. Two
// cameras' errors go together through the board; a distance far from it depends on that most.
TEST(Measure, BoardSolvedCamerasSayHowSureTheyAre) {
  const std::vector<Camera> all = clicked_room::cameras(), truth(all.begin(), all.begin() + 2);
  const Eigen::Vector3d a(-0.8, 0.3, 0), b(1.7, -1.5, 0), top(1.7, -1.5, 1.7);
  for (const bool solve_lens : {false, true}) {
    double squares = 0, variances = 0, height_squares = 0, height_variances = 0;
    constexpr unsigned kDraws = 40;
    for (unsigned draw = 0; draw < kDraws; ++draw) {
      const SeenBoards seen(truth, solve_lens, 500 + draw);
      const auto solution = solve_boards(seen.input, {.k3 = true, .half_turned = {}});
      ASSERT_TRUE(solution) << solution.error().message();
      std::vector<Camera> cameras;
      for (const CameraSolution& camera : solution->cameras) {
        cameras.push_back(camera.camera);
        ASSERT_EQ(camera.lens_free[kFx], solve_lens) << (camera.held.empty() ? "" : camera.held[0]);
      }
      const std::vector together{solution->together};
      // Exact clicks: the pixel that the deviation counts for each is taken off.
      const auto off_by = [&](MeasureKind kind, std::vector<MeasureClick> clicks, double right,
                              double* square, double* variance) {
        const auto found = measured(kind, clicks, cameras, together);
        ASSERT_TRUE(found && found->std);
        SolvedTogether exact = together[0];
        exact.covariance.setZero();
        const double clicked = *measured(kind, clicks, cameras, std::vector{exact})->std;
        *square += std::pow(*found->value - right, 2);
        *variance += *found->std * *found->std - clicked * clicked;
      };
      off_by(MeasureKind::distance, {click(truth[0], a), click(truth[1], b)}, (a - b).norm(), &squares,
             &variances);
      off_by(MeasureKind::height, {click(truth[1], b), click(truth[1], top)}, 1.7, &height_squares,
             &height_variances);
    }
    EXPECT_NEAR(std::sqrt(squares / variances), 1, 0.3) << "lens solved: " << solve_lens;
    EXPECT_NEAR(std::sqrt(height_squares / height_variances), 1, 0.3) << "lens solved: " << solve_lens;
    fmt::print("lens solved {:d}: distance +- {:.2f} mm ({:.2f}), height +- {:.2f} mm ({:.2f})\n", solve_lens,
               1000 * std::sqrt(variances / kDraws), std::sqrt(squares / variances),
               1000 * std::sqrt(height_variances / kDraws), std::sqrt(height_squares / height_variances));
  }
}

}  // namespace
}  // namespace vantage
