// Plain boards in painted pictures: every corner that is found lies where the lens has it.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/calibration/solve/board_detector.h"
#include "core/geometry/camera.h"
#include "tests/support/drawn_board.h"

namespace vantage {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kWide = 960, kHigh = 720;
constexpr double kOffAxis_rad = 65 * M_PI / 180;
const Board kShown{9, 6, 0.05};

Camera fisheye() {
  PinholeCamera<double> m;
  m.width_px = kWide, m.height_px = kHigh;
  m.lens = LensModel::fisheye;
  m.fx_px = m.fy_px = 250, m.cx_px = 485, m.cy_px = 352, m.k1 = -0.02, m.k2 = 0.003;
  return Camera::make("fisheye", m).value();
}

// NaN outside what the lens shows.
Vector2d place_of(const Camera& camera, const Isometry3d& pose, int corner) {
  return camera.project(pose * Vector3d(kShown.x_m(corner), kShown.y_m(corner), 0))
      .value_or(Vector2d(NAN, NAN));
}

std::optional<std::vector<BoardCorner>> found_in(const std::vector<uint8_t>& picture, const Board& board) {
  return find_board({picture.data(), kWide, kHigh, kWide}, board);
}

// The largest distance of a corner from its place; a board may be found turned by half.
double farthest_px(const Camera& camera, const Isometry3d& pose, const std::vector<BoardCorner>& corners) {
  double best = 1e9;
  for (const bool turned : {false, true}) {
    double most = 0;
    for (const BoardCorner& corner : corners) {
      const int index = turned ? kShown.corner_count() - 1 - corner.index : corner.index;
      most = std::max(most, (place_of(camera, pose, index) - Vector2d(corner.x_px, corner.y_px)).norm());
    }
    best = std::min(best, most);
  }
  return best;
}

bool whole_in_picture(const Camera& camera, const Isometry3d& pose) {
  for (int i = 0; i < kShown.corner_count(); ++i) {
    const Vector2d at = place_of(camera, pose, i);
    if (!(at.x() > 12 && at.y() > 12 && at.x() < kWide - 12 && at.y() < kHigh - 12)) return false;
  }
  return true;
}

std::vector<Isometry3d> carried(const Camera& camera, int count, double distance_m) {
  std::mt19937 random(21);
  std::vector<Isometry3d> poses;
  while (static_cast<int>(poses.size()) < count) {
    const Isometry3d pose = test::carried_board(kShown, kOffAxis_rad, distance_m, &random);
    if (whole_in_picture(camera, pose)) poses.push_back(pose);
  }
  return poses;
}

TEST(PlainBoard, StrongFisheye) {
  const Camera camera = fisheye();
  const test::BoardPainter painter(camera);
  int found = 0;
  for (const Isometry3d& pose : carried(camera, 24, 0.35)) {
    const auto corners = found_in(painter.paint(kShown, pose), kShown);
    if (!corners) continue;
    ++found;
    EXPECT_LT(farthest_px(camera, pose, *corners), 1) << found;
  }
  EXPECT_GE(found, 23);
}

// A board with more squares holds the stated one in many places: none of them is it.
TEST(PlainBoard, ALargerBoardIsNotTheStatedOne) {
  const Camera camera = fisheye();
  const test::BoardPainter painter(camera);
  for (const Isometry3d& pose : carried(camera, 3, 0.45)) {
    const std::vector<uint8_t> picture = painter.paint(kShown, pose);
    ASSERT_TRUE(found_in(picture, kShown));
    for (const Board& stated : {Board{8, 6, 0.05}, Board{9, 5, 0.05}, Board{5, 4, 0.05}})
      EXPECT_FALSE(found_in(picture, stated)) << stated.columns << " x " << stated.rows;
  }
}

// A sticker on the board moves the edges about one corner.
TEST(PlainBoard, ACoveredCornerIsLeftOut) {
  const Camera camera = fisheye();
  const test::BoardPainter painter(camera);
  for (const Isometry3d& pose : carried(camera, 4, 0.3)) {
    std::vector<uint8_t> picture = painter.paint(kShown, pose);
    const Vector2d sticker = place_of(camera, pose, 22) + Vector2d(4, 3);
    for (int y = 0; y < kHigh; ++y)
      for (int x = 0; x < kWide; ++x)
        if (std::hypot(x - sticker.x(), y - sticker.y()) < 6) picture[y * kWide + x] = 30;
    const auto corners = found_in(picture, kShown);
    if (corners) EXPECT_LT(farthest_px(camera, pose, *corners), 1.5) << corners->size();
  }
}

TEST(PlainBoard, TextureHoldsNone) {
  std::mt19937 random(3);
  std::vector<uint8_t> noise(static_cast<size_t>(kWide * kHigh));
  for (uint8_t& value : noise) value = static_cast<uint8_t>(random());
  EXPECT_FALSE(found_in(noise, kShown));
}

}  // namespace
}  // namespace vantage
