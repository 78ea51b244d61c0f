// Lines and labels lie where they are asked for and nowhere else.
#include "core/display/canvas.h"

#include <gtest/gtest.h>

#include "core/display/color_conversion.h"

namespace vantage {
namespace {

constexpr MarkColor kGrey = {100, 100, 100}, kRed = {255, 0, 0};

struct Drawn {
  Canvas canvas = Canvas::make(64, 48, kGrey).value();
  MarkColor at(int x, int y) const { return at(x, y, canvas.image().value()); }
  static MarkColor at(int x, int y, const Image& image) {
    const uint8_t* pixel = image.view<uint8_t>().row(y) + 3 * x;
    return {pixel[0], pixel[1], pixel[2]};
  }
  int changed(const PixelArea& area) const {
    const Image image = canvas.image().value();
    int count = 0;
    for (int y = area.top; y < area.bottom; ++y)
      for (int x = area.left; x < area.right; ++x) count += at(x, y, image) != kGrey;
    return count;
  }
};

TEST(Canvas, LinesAreAsWideAsAsked) {
  Drawn drawn;
  const std::array<Eigen::Vector2d, 2> upright = {Eigen::Vector2d(20, 5), Eigen::Vector2d(20, 40)};
  drawn.canvas.polyline(upright, 3, kRed);
  for (const int x : {19, 20, 21}) EXPECT_EQ(drawn.at(x, 20), kRed) << x;
  for (const int x : {18, 22}) EXPECT_EQ(drawn.at(x, 20), kGrey) << x;
  EXPECT_EQ(drawn.at(20, 44), kGrey);
  const std::array<Eigen::Vector2d, 2> slant = {Eigen::Vector2d(30, 10), Eigen::Vector2d(50, 15)};
  drawn.canvas.polyline(slant, 3, kRed);
  for (const int x : {30, 34, 38, 42, 46, 50}) EXPECT_EQ(drawn.at(x, 10 + (x - 30) / 4), kRed) << x;
}

TEST(Canvas, NothingChangesOutsideTheClip) {
  Drawn drawn;
  const PixelArea inside = {10, 10, 30, 30};
  drawn.canvas.clip_to(inside);
  const std::array<Eigen::Vector2d, 2> across = {Eigen::Vector2d(-500, -480), Eigen::Vector2d(900, 920)};
  drawn.canvas.polyline(across, 4, kRed);
  drawn.canvas.label("outside", 25, 25, 12);
  drawn.canvas.fill({0, 12, 64, 14}, kRed);
  const int within = drawn.changed(inside);
  EXPECT_GT(within, 0);
  EXPECT_EQ(drawn.changed(drawn.canvas.whole()), within);
}

TEST(Canvas, WhatIsNoNumberOrEndlesslyFarDrawsNothing) {
  Drawn drawn;
  const std::array<Eigen::Vector2d, 2> nowhere = {Eigen::Vector2d(5, NAN), Eigen::Vector2d(20, 40)};
  const std::array<Eigen::Vector2d, 2> far = {Eigen::Vector2d(5, 5), Eigen::Vector2d(1e300, 40)};
  drawn.canvas.polyline(nowhere, 3, kRed);
  drawn.canvas.polyline(far, 3, kRed);
  EXPECT_EQ(drawn.changed(drawn.canvas.whole()), 0);
}

TEST(Canvas, LettersTakeTheWidthThatIsSaid) {
  Drawn drawn;
  const int width = Canvas::picture_text_width_px("Hj 7", 16);
  drawn.canvas.text("Hj 7", 4, 30, 16, {0, 0, 0});
  EXPECT_GT(drawn.changed({4, 12, 4 + width, 38}), 20);
  EXPECT_EQ(drawn.changed({4 + width + 2, 0, 64, 48}), 0);
}

// A sample of a camera picture is drawn on as a pixel is, also where a sample of colour is two pixels wide.
TEST(Canvas, DrawsOnCameraPictures) {
  Picture picture = Picture::make({.width = 64, .height = 48}, HostPool::shared()).value();
  Canvas canvas = Canvas::over(picture).value();
  canvas.fill(canvas.whole(), {0, 0, 0});
  const std::array<Eigen::Vector2d, 2> upright = {Eigen::Vector2d(20, 5), Eigen::Vector2d(20, 40)};
  canvas.polyline(upright, 3, kRed);
  const YcbcrSample red = ycbcr_of(255, 0, 0, picture.format());
  for (const int x : {19, 20, 21}) EXPECT_EQ(picture.plane(0).at(x, 20), red.y) << x;
  for (const int x : {18, 22}) EXPECT_EQ(picture.plane(0).at(x, 20), 16) << x;
  EXPECT_EQ(picture.plane(1).at(10, 10), red.cb);
  EXPECT_EQ(picture.plane(2).at(10, 10), red.cr);
  EXPECT_GT(picture.plane(2).at(9, 10), 128 + (red.cr - 128) * 2 / 3) << "half of it is below the line";
  for (const int x : {7, 12}) EXPECT_EQ(picture.plane(2).at(x, 10), 128) << x;
  EXPECT_EQ(picture.plane(0).at(20, 44), 16);
  canvas.label("Hj", 30, 8, 12);
  int lightest = 0;
  for (int y = 8; y < 24; ++y)
    for (int x = 30; x < 50; ++x) lightest = std::max<int>(lightest, picture.plane(0).at(x, y));
  EXPECT_GT(lightest, 200);
}

// Cairo draws nothing more after a text that it refuses.
TEST(Canvas, TextsOfAnyBytesAreDrawn) {
  Drawn drawn;
  drawn.canvas.text("\xff\xc3\n\xf0\x9f", 4, 20, 16, {0, 0, 0});
  EXPECT_GT(drawn.changed(drawn.canvas.whole()), 0);
  drawn.canvas.fill({0, 40, 64, 48}, kRed);
  EXPECT_EQ(drawn.at(1, 44), kRed);
}

}  // namespace
}  // namespace vantage
