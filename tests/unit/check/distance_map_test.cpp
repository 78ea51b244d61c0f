#include "core/check/distance_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

// A mask with a set rectangle from (x0, y0) to (x1, y1), both included.
Image mask_of(int width, int height, int x0, int y0, int x1, int y1) {
  Image mask = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  const ImageView<uint8_t> view = mask.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) view.at(x, y) = x >= x0 && x <= x1 && y >= y0 && y <= y1 ? 255 : 0;
  return mask;
}

TEST(DistanceMap, IsTheDistanceFromTheRimAndNothingWithin) {
  const DistanceMap map(mask_of(200, 150, 50, 40, 99, 89), 64);
  for (int y = 0; y < 150; y += 7)
    for (int x = 0; x < 200; x += 7) {
      const double dx = std::max({49.5 - x, x - 99.5, 0.0}), dy = std::max({39.5 - y, y - 89.5, 0.0});
      const double distance = std::hypot(dx, dy);
      EXPECT_NEAR(map.at({x, y}), std::min(distance, 64.0), 0.08 * distance + 0.5) << x << ", " << y;
    }
  EXPECT_EQ(map.at({75, 60}), 0);
  EXPECT_NEAR(map.at({120.5, 60}), 21, 0.01);
}

TEST(DistanceMap, OfLargePicturesIsInTheirPixels) {
  const DistanceMap map(mask_of(1920, 1080, 400, 300, 799, 699), 100);
  EXPECT_EQ(map.at({600, 500}), 0);
  EXPECT_NEAR(map.at({830, 500}), 30.5, 3);
  EXPECT_NEAR(map.at({600, 740}), 40.5, 3);
  EXPECT_NEAR(map.at({1900, 500}), 100, 3);
}

TEST(DistanceMap, KnowsWhatItCovers) {
  EXPECT_TRUE(DistanceMap().empty());
  EXPECT_TRUE(DistanceMap(mask_of(64, 48, 100, 100, 100, 100), 10).empty());
  const DistanceMap map(mask_of(64, 48, 1, 1, 5, 5), 10);
  EXPECT_FALSE(map.empty());
  EXPECT_TRUE(map.covers({0, 47}));
  EXPECT_FALSE(map.covers({-1, 20}));
  EXPECT_FALSE(map.covers({64, 20}));
  EXPECT_FALSE(map.covers({20, 48}));
}

}  // namespace
}  // namespace vantage
