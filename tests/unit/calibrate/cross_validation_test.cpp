// Adjustments of boards with normal noise, whose halves have to differ as their covariances say; and such
// whose model is wrong.
#include "core/calibration/solve/cross_validation.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/calibration/solve/detail/board_poses.h"
#include "tests/unit/calibrate/looking.h"

namespace vantage {
namespace {

using test::looking;

constexpr double kNoise_px = 0.3;

struct Wanted {
  int cameras = 3, boards = 24;
  double together_px = 0;  // by which all corners of a picture are off in common
  bool lens_free = true, posed = true;
};

// Seen by the true cameras, with noise, and adjusted.
Bundle adjusted(const Wanted& wanted, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::normal_distribution<double> noise(0, kNoise_px);
  Bundle bundle;
  for (int c = 0; c < wanted.cameras; ++c) {
    const double angle = -0.7 + 0.6 * c;
    BundleCamera camera;
    camera.lens = {900, 905, 640, 350, -0.1, 0.02};
    if (wanted.lens_free)
      for (const size_t value : {kFx, kFy, kCx, kCy, kK1, kK2}) camera.lens_free[value] = true;
    camera.cam_from_world =
        pose_values(looking({2.2 * std::sin(angle), -2.2 * std::cos(angle), 1.6}, {0, 0, 0.3}));
    camera.pose_free = wanted.posed;
    bundle.cameras.push_back(camera);
  }
  for (int b = 0; b < wanted.boards; ++b) {
    Eigen::Isometry3d board = Eigen::Isometry3d::Identity();
    if (b > 0 || !wanted.posed)
      board.linear() = (Eigen::AngleAxisd(0.6 * unit(random) + 0.4, Eigen::Vector3d::UnitX()) *
                        Eigen::AngleAxisd(0.6 * unit(random), Eigen::Vector3d::UnitY()))
                           .toRotationMatrix();
    board.translation() = Eigen::Vector3d(0.7 * unit(random) - 0.3, 0.5 * unit(random) - 0.2, 0.3);
    if (b == 0) board.translation() = Eigen::Vector3d(-0.3, -0.2, 0.3);
    bundle.boards.push_back({pose_values(board), b > 0 || !wanted.posed});
    for (int c = 0; c < wanted.cameras; ++c) {
      const double x_px = wanted.together_px * unit(random), y_px = wanted.together_px * unit(random);
      for (int k = 0; k < 54; ++k) {
        BundleCorner corner{c, b, 0.08 * (k % 9), 0.08 * (k / 9), 0, 0};
        const Eigen::Vector2d pixel =
            project_corner(bundle.cameras[c], bundle.boards.back(), corner.x_m, corner.y_m);
        corner.x_px = pixel.x() + x_px + noise(random), corner.y_px = pixel.y() + y_px + noise(random);
        bundle.corners.push_back(corner);
      }
    }
  }
  const auto report = adjust(&bundle);
  EXPECT_TRUE(report && report->undetermined.empty());
  return bundle;
}

TEST(CrossValidation, HalvesDifferAsTheirCovariancesSay) {
  for (const Wanted& wanted : {Wanted{}, Wanted{.lens_free = false}, Wanted{.cameras = 1, .posed = false}}) {
    double square = 0, held_out = 0, expected = 0;
    int doubted = 0, freedom = 0;
    constexpr int kSets = 20;
    for (unsigned seed = 1; seed <= kSets; ++seed) {
      const auto found = cross_validate(adjusted(wanted, seed));
      ASSERT_TRUE(found);
      square += std::pow(found->ratio, 2) / kSets;
      doubted += found->doubtful(), freedom = found->freedom;
      for (const CrossValidatedCamera& camera : found->cameras) {
        held_out += std::pow(camera.held_out_rms_px, 2), expected += std::pow(camera.expected_rms_px, 2);
        EXPECT_GT(camera.corners, 54 * 20);
        EXPECT_EQ(camera.turned_std_deg > 0, wanted.posed);
      }
    }
    fmt::print("{} values: halves {:.2f}, held out {:.3f}\n", freedom, std::sqrt(square),
               std::sqrt(held_out / expected));
    EXPECT_NEAR(std::sqrt(square), 1, 0.15);
    EXPECT_NEAR(std::sqrt(held_out / expected), 1, 0.02);
    EXPECT_LE(doubted, 1);
    EXPECT_EQ(freedom, (wanted.lens_free ? 6 * wanted.cameras : 0) + (wanted.posed ? 12 : 0));
  }
}

// As where clips are out of step by less than a frame, and the board moves.
TEST(CrossValidation, PicturesThatAreOffAsAWholeAreDoubted) {
  int doubted = 0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto found = cross_validate(adjusted({.together_px = 1}, seed));
    ASSERT_TRUE(found);
    doubted += found->doubtful();
  }
  EXPECT_EQ(doubted, 5);
}

TEST(CrossValidation, SaysNothingWhereAHalfLeavesSomethingOpen) {
  const auto found = cross_validate(adjusted({.boards = 2, .lens_free = false}, 1));
  EXPECT_FALSE(found);
}

TEST(CrossValidation, TheSameInputGivesTheSameBytes) {
  const Bundle bundle = adjusted({}, 3);
  const auto first = cross_validate(bundle), again = cross_validate(bundle);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->ratio, again->ratio);
  EXPECT_EQ(first->cameras[1].held_out_rms_px, again->cameras[1].held_out_rms_px);
}

}  // namespace
}  // namespace vantage
