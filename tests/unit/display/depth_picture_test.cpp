// A scene appears where the eye sees it, and nearer things cover farther ones.
#include "core/display/depth_picture.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

namespace vantage {
namespace {

constexpr MarkColor kGround = {10, 20, 30}, kRed = {250, 0, 0}, kGreen = {0, 250, 0};
constexpr int kWidth_px = 320, kHeight_px = 200;

OrbitCamera camera() {
  OrbitCamera camera;
  camera.frame({-3, -3, 0}, {3, 3, 2});
  camera.look_from(0.7, 0.4);
  return camera;
}

struct Drawn {
  Canvas canvas = Canvas::make(kWidth_px + 40, kHeight_px + 30, {0, 0, 0}).value();
  PixelArea area = {30, 20, 30 + kWidth_px, 20 + kHeight_px};
  Image image;

  explicit Drawn(const DepthPicture& picture) {
    picture.draw(area, kGround, canvas);
    image = canvas.image().value();
  }
  MarkColor at(int x, int y) const {
    const uint8_t* pixel = image.view<uint8_t>().row(area.top + y) + 3 * (area.left + x);
    return {pixel[0], pixel[1], pixel[2]};
  }
  // The middle of what is red, or green, and how many pixels.
  std::pair<Eigen::Vector2d, int> middle(size_t channel) const {
    Eigen::Vector2d sum = {0, 0};
    int count = 0;
    for (int y = 0; y < kHeight_px; ++y)
      for (int x = 0; x < kWidth_px; ++x)
        if (at(x, y)[channel] > 100) sum += Eigen::Vector2d(x + 0.5, y + 0.5), ++count;
    return {sum / std::max(1, count), count};
  }
};

SceneProjection view() {
  return camera().projection(kWidth_px, kHeight_px);
}

// By hand, not by SceneProjection: the pinhole of that angle at the eye.
Eigen::Vector2d expected_px(const Eigen::Vector3d& point) {
  const OrbitCamera eye = camera();
  const Eigen::Vector3d from(
      eye.target_m() + eye.distance_m() * Eigen::Vector3d(std::cos(0.4) * std::cos(0.7),
                                                          std::cos(0.4) * std::sin(0.7), std::sin(0.4)));
  const Eigen::Vector3d ahead = (eye.target_m() - from).normalized();
  const Eigen::Vector3d right = ahead.cross(Eigen::Vector3d::UnitZ()).normalized(), up = right.cross(ahead);
  const Eigen::Vector3d to = point - from;
  const double focal = kHeight_px / 2 / std::tan(35.0 / 2 * M_PI / 180);
  return {kWidth_px / 2 + focal * to.dot(right) / to.dot(ahead),
          kHeight_px / 2 - focal * to.dot(up) / to.dot(ahead)};
}

TEST(DepthPicture, ABallAppearsWhereTheProjectionSays) {
  for (const Eigen::Vector3d& point :
       {Eigen::Vector3d(0.5, -0.8, 1.2), Eigen::Vector3d(-2, 1, 0), Eigen::Vector3d(2, 1.5, 1.9)}) {
    DepthPicture picture(view());
    picture.add_ball(point, 0.4, kRed);
    const Drawn drawn(picture);
    const auto [middle, count] = drawn.middle(0);
    EXPECT_LT((middle - expected_px(point)).norm(), 0.5) << point.transpose();
    const double wide = 0.4 * view().pixel(view().in_view_m(point)).px_per_m;
    EXPECT_NEAR(count, M_PI / 4 * wide * wide, 0.1 * wide * wide) << point.transpose();
  }
}

TEST(DepthPicture, NearerCoversFartherInWhateverOrder) {
  const Eigen::Vector3d eye = view().eye_m(), far(0.2, 0.1, 0.5), near = far + (eye - far).normalized() * 1.5;
  for (const bool near_first : {true, false}) {
    DepthPicture picture(view());
    if (near_first) picture.add_ball(near, 0.3, kGreen);
    picture.add_ball(far, 0.3, kRed);
    if (!near_first) picture.add_ball(near, 0.3, kGreen);
    const Drawn drawn(picture);
    EXPECT_GT(drawn.middle(1).second, 20);
    EXPECT_EQ(drawn.middle(0).second, 0) << "the nearer ball is larger and hides all of the other";
  }
}

TEST(DepthPicture, LinesAreHiddenByWhatIsBeforeThem) {
  const Eigen::Vector3d middle(0, 0, 0.5), across = Eigen::Vector3d(-std::sin(0.7), std::cos(0.7), 0);
  const Eigen::Vector3d towards = (view().eye_m() - middle).normalized();
  for (const double before_m : {-1.0, 1.0}) {
    DepthPicture picture(view());
    picture.add_ball(middle, 0.6, kRed);
    const std::array<WorldSegment, 1> line = {
        WorldSegment(middle + before_m * towards - 2 * across, middle + before_m * towards + 2 * across)};
    picture.add_lines(line, kGreen, 4);
    const Drawn drawn(picture);
    const Eigen::Vector2d at = expected_px(middle);
    const MarkColor color = drawn.at(static_cast<int>(at.x()), static_cast<int>(at.y()));
    EXPECT_EQ(color[1] > 200, before_m > 0);
    EXPECT_EQ(color[0] > 100, before_m < 0);
    EXPECT_GT(drawn.middle(1).second, 200);  // at both sides in either case
  }
}

TEST(DepthPicture, WhatLiesBehindTheEyeIsLeftOut) {
  DepthPicture picture(view());
  const Eigen::Vector3d eye = view().eye_m(), back = (eye - camera().target_m()).normalized();
  picture.add_ball(eye + back, 1, kRed);
  const std::array<WorldSegment, 2> lines = {WorldSegment(eye + back, eye + 3 * back),
                                             WorldSegment(eye + back, camera().target_m())};
  picture.add_lines(lines, kGreen, 2);
  const Drawn drawn(picture);
  EXPECT_EQ(drawn.middle(0).second, 0);
  const auto [middle, count] = drawn.middle(1);
  EXPECT_GT(count, 0);  // of the second line what is ahead: a point in the middle of the view
  EXPECT_LT((middle - Eigen::Vector2d(kWidth_px / 2, kHeight_px / 2)).norm(), 3);
}

TEST(DepthPicture, APictureOnTheFloorLiesUnderWhatStandsOnIt) {
  FloorPicture floor;
  floor.corner_in_world_m = {-1, -1, 0};
  floor.cell_m = 1, floor.nx = 2, floor.ny = 2;
  for (int cell = 0; cell < 4; ++cell)  // the cell with the largest x and y is clear
    for (const uint8_t value : {0, 250, 0, cell == 3 ? 0 : 255}) floor.rgba.push_back(value);
  DepthPicture picture(view());
  picture.add_ball({-0.5, -0.5, 0.3}, 0.2, kRed);
  picture.add_picture(floor);
  const Drawn drawn(picture);
  const auto color = [&](const Eigen::Vector3d& point) {
    const Eigen::Vector2d at = expected_px(point);
    return drawn.at(static_cast<int>(at.x()), static_cast<int>(at.y()));
  };
  EXPECT_EQ(color({-0.6, 0.6, 0}), (MarkColor{0, 250, 0}));
  EXPECT_EQ(color({0.9, 0.9, 0}), kGround);
  EXPECT_EQ(color({1.4, 0, 0}), kGround);
  EXPECT_GT(color({-0.5, -0.5, 0.3})[0], 100);
}

TEST(DepthPicture, FillsItsAreaAndNothingElse) {
  const Drawn drawn{DepthPicture(view())};
  EXPECT_EQ(drawn.at(0, 0), kGround);
  EXPECT_EQ(drawn.at(kWidth_px - 1, kHeight_px - 1), kGround);
  for (const auto& [x, y] : {std::pair(-1, 0), {0, -1}, {kWidth_px, 5}, {5, kHeight_px}})
    EXPECT_EQ(drawn.at(x, y), (MarkColor{0, 0, 0})) << x << ' ' << y;
}

TEST(OrbitCamera, FromAboveMetresAreEqualEverywhere) {
  OrbitCamera top = camera();
  top.set_top(true);
  const SceneProjection view = top.projection(400, 300);
  const auto px = [&](double x, double y, double z) { return view.pixel(view.in_view_m({x, y, z})).px; };
  const double metre = top.pixels_per_metre(400, 300);
  EXPECT_NEAR((px(1, 0, 0) - px(0, 0, 1.5)).x(), metre, 1e-9);
  EXPECT_NEAR((px(2, 1, 0) - px(2, 0, 0)).y(), -metre, 1e-9);  // y is up
  const SceneProjection::Sight sight = view.sight(px(1.5, -2, 0).x(), px(1.5, -2, 0).y());
  EXPECT_NEAR(sight.from_m.x(), 1.5, 1e-9);
  EXPECT_NEAR(sight.from_m.y(), -2, 1e-9);
}

}  // namespace
}  // namespace vantage
