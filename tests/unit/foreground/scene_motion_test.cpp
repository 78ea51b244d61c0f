#include "core/foreground/scene_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace vantage {
namespace {

constexpr int kWidth = 322, kHeight = 241;  // cells at the right and lower border are smaller

// Noise over a grey floor, and a trunk of one cloth, whose left edge stands at `left`; -1: nobody.
class Footage {
 public:
  Picture picture(int left, double light = 1) {
    PictureFormat format;
    format.width = kWidth, format.height = kHeight;
    Picture made = Picture::make(format, HostPool::shared()).value();
    for (int plane = 0; plane < 3; ++plane)
      for (int y = 0; y < made.plane(plane).height; ++y)
        std::fill_n(made.writable_plane(plane).row(y), made.plane(plane).width, uint8_t{128});
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const bool trunk = left >= 0 && x >= left && x < left + 16 && y >= 60 && y < 200;
        made.writable_plane(0).row(y)[x] =
            static_cast<uint8_t>(std::lround(light * (trunk ? 60 : 120) + noise_(generator_)));
      }
    return made;
  }

 private:
  std::mt19937 generator_{3};
  std::normal_distribution<double> noise_{0, 2};
};

double moving_share(const Image& cells) {
  int moving = 0;
  for (int y = 0; y < cells.height(); ++y)
    for (int x = 0; x < cells.width(); ++x) moving += cells.view<uint8_t>().at(x, y) == 255;
  return static_cast<double>(moving) / (cells.width() * cells.height());
}

TEST(SceneMotion, ATrunkThatSwaysMovesAsAWhole) {
  Footage footage;
  const Image cells = moving_cells(footage.picture(160), footage.picture(164)).value();
  EXPECT_EQ(cells.width(), 81);
  EXPECT_EQ(cells.height(), 61);
  for (int y = 16; y < 49; ++y)
    for (int x = 40; x < 45; ++x)
      EXPECT_EQ(cells.view<uint8_t>().at(x, y), 255) << "its middle too, at " << x << ", " << y;
  EXPECT_LT(moving_share(cells), 1.5 * 20 * 140 / (kWidth * kHeight)) << "little beside it";
}

TEST(SceneMotion, NoiseAndLightDoNotMove) {
  Footage footage;
  EXPECT_EQ(moving_share(moving_cells(footage.picture(160), footage.picture(160)).value()), 0);
  EXPECT_EQ(moving_share(moving_cells(footage.picture(-1), footage.picture(-1, 1.2)).value()), 0);
}

TEST(SceneMotion, PicturesOfTwoFormatsAreAnError) {
  Footage footage;
  PictureFormat other;
  other.width = 64, other.height = 48;
  const Picture small = Picture::make(other, HostPool::shared()).value();
  EXPECT_EQ(moving_cells(footage.picture(-1), small).error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(moving_cells(footage.picture(-1), Picture()).error().kind, ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace vantage
