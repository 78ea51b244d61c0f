// Motion by colour, without what moves in ignored regions.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/sync/coarse_signals.h"

namespace vantage {
namespace {

constexpr int kPictureWidth = 640, kPictureHeight = 480;

// A person at `person_x`, and a screen in the upper right corner of that brightness.
Picture scene(int person_x, uint8_t screen) {
  Picture picture = Picture::make({PictureLayout::i420, kPictureWidth, kPictureHeight, ColorRange::limited,
                                   ColorMatrix::bt601},
                                  HostPool::shared())
                        .value();
  for (int plane = 0; plane < 3; ++plane)
    for (int y = 0; y < picture.plane(plane).height; ++y)
      for (int x = 0; x < picture.plane(plane).width; ++x) {
        const bool on_screen = x >= 480 && y < 200;
        const bool person = x >= person_x && x < person_x + 60 && y >= 200 && y < 440;
        const uint8_t luma = on_screen ? screen : person ? 180 : 80;
        picture.writable_plane(plane).at(x, y) = plane == 0 ? luma : 128;
      }
  return picture;
}

std::vector<float> lines_of(int person_to, uint8_t screen_to, const IgnoredRegions& ignored) {
  ColorMotion motion(ignored);
  EXPECT_FALSE(motion.next(scene(100, 60)));
  EXPECT_TRUE(motion.next(scene(person_to, screen_to)));
  return {motion.lines().begin(), motion.lines().end()};
}

TEST(ColorMotion, AScreenInAnIgnoredRegionDoesNotMove) {
  const IgnoredRegions screen = {{{{478, -2}, {641, -2}, {641, 202}, {478, 202}}}};
  const auto still = lines_of(100, 60, {}), walks = lines_of(130, 60, {});
  EXPECT_NE(walks, still);
  EXPECT_NE(lines_of(100, 220, {}), still) << "the screen's change is motion";
  EXPECT_EQ(lines_of(100, 220, screen), still);
  EXPECT_EQ(lines_of(130, 220, screen), walks) << "the person's motion alone";
  EXPECT_EQ(lines_of(130, 60, screen), walks);
}

}  // namespace
}  // namespace vantage
