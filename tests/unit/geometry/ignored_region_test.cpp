// Ignored regions: every pixel by its own definition, slowly; masks and their polygons.
#include "core/geometry/ignored_region.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/seed.h"

namespace vantage {
namespace {

using Corners = std::vector<Eigen::Vector2d>;

// The even-odd rule, by the crossings of a ray to the right.
bool in_polygon(const Corners& corners, double x, double y) {
  bool in = false;
  for (size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const auto &a = corners[i], &b = corners[j];
    if ((a.y() > y) != (b.y() > y) && x < (b.x() - a.x()) * (y - a.y()) / (b.y() - a.y()) + a.x()) in = !in;
  }
  return in;
}

TEST(IgnoredPixels, AreThoseWhoseCentresAreInARegion) {
  std::mt19937 random(test::test_seed());
  std::uniform_real_distribution<double> somewhere(-20, 90);
  constexpr int kWidth = 67, kHeight = 45;
  for (int trial = 0; trial < 60; ++trial) {
    IgnoredRegions regions(1 + trial % 3);
    for (IgnoredRegion& region : regions)
      for (int i = 0; i < 3 + trial % 6; ++i)
        region.corners_px.emplace_back(somewhere(random), somewhere(random));
    const IgnoredPixels ignored(regions, kWidth, kHeight);
    const Image image = ignored_image(regions, kWidth, kHeight).value();
    int64_t count = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        bool in = false;
        for (const IgnoredRegion& region : regions) in = in || in_polygon(region.corners_px, x, y);
        count += in;
        ASSERT_EQ(ignored.at(x, y), in) << trial << ": " << x << ", " << y;
        ASSERT_EQ(ignored.at(x + 0.4, y - 0.4), in) << "the nearest pixel";
        ASSERT_EQ(image.view<uint8_t>().at(x, y), in ? 255 : 0);
      }
    EXPECT_DOUBLE_EQ(ignored.share(), static_cast<double>(count) / (kWidth * kHeight));
    EXPECT_EQ(ignored.any(), count > 0);
    for (const auto& [x, y] : {std::pair{-1.0, 3.0}, {3.0, -1.0}, {67.0, 3.0}, {3.0, 45.0}})
      EXPECT_FALSE(ignored.at(x, y)) << "outside the picture";
  }
}

struct Mask {
  int width, height;
  std::vector<uint8_t> levels;
  Mask(int w, int h) : width(w), height(h), levels(static_cast<size_t>(w) * static_cast<size_t>(h)) {}
  uint8_t& at(int x, int y) {
    return levels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
  void fill(int x0, int y0, int x1, int y1, uint8_t level) {
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) at(x, y) = level;
  }
  ImageView<const uint8_t> view() const { return {levels.data(), width, height, static_cast<size_t>(width)}; }
};

// Rectangles with rectangular holes, in which there are others: exact, with few corners.
TEST(RegionsOfMask, AreExactForRectanglesAndHoles) {
  Mask mask(120, 90);
  mask.fill(0, 0, 40, 10, 1);  // a time stamp in the corner
  mask.fill(50, 20, 110, 80, 7);
  mask.fill(60, 30, 100, 70, 0);
  mask.fill(70, 40, 90, 60, 255);
  mask.fill(75, 45, 80, 50, 0), mask.fill(82, 52, 86, 56, 0);
  mask.fill(110, 80, 120, 90, 9);  // touches at a corner alone
  const IgnoredRegions regions = regions_of_mask(mask.view()).value();
  EXPECT_EQ(regions.size(), 4U);
  const IgnoredPixels ignored(regions, 120, 90);
  for (int y = 0; y < 90; ++y)
    for (int x = 0; x < 120; ++x) ASSERT_EQ(ignored.at(x, y), mask.at(x, y) != 0) << x << ", " << y;
  EXPECT_EQ(regions[0].corners_px, (Corners{{-2, -2}, {39.5, -2}, {39.5, 9.5}, {-2, 9.5}}))
      << "beyond the edges of the picture";
}

// Blobs and holes of any shape: pixels differ at borders alone, and corners are few.
TEST(RegionsOfMask, StayWithinAPixelOfTheBorders) {
  std::mt19937 random(test::test_seed());
  std::uniform_real_distribution<double> x_of(0, 200), y_of(0, 150), radius(6, 40);
  for (int trial = 0; trial < 20; ++trial) {
    Mask mask(200, 150);
    for (int blob = 0; blob < 9; ++blob) {
      const double cx = x_of(random), cy = y_of(random), r = radius(random);
      for (int y = 0; y < 150; ++y)
        for (int x = 0; x < 200; ++x)
          if (std::hypot(x - cx, y - cy) < r) mask.at(x, y) = blob % 3 == 2 ? 0 : 255;
    }
    const auto regions = regions_of_mask(mask.view());
    ASSERT_TRUE(regions) << regions.error().message();
    const IgnoredPixels ignored(*regions, 200, 150);
    const auto at_border = [&](int x, int y) {
      for (int j = std::max(0, y - 1); j <= std::min(149, y + 1); ++j)
        for (int i = std::max(0, x - 1); i <= std::min(199, x + 1); ++i)
          if ((mask.at(i, j) != 0) != (mask.at(x, y) != 0)) return true;
      return false;
    };
    size_t steps = 0, corners = 0;
    for (int y = 0; y < 150; ++y)
      for (int x = 0; x < 200; ++x) {
        steps += at_border(x, y);
        if (ignored.at(x, y) != (mask.at(x, y) != 0)) {
          ASSERT_TRUE(at_border(x, y)) << trial << ": " << x << ", " << y;
        }
      }
    for (const IgnoredRegion& region : *regions) corners += region.corners_px.size();
    EXPECT_LT(corners, steps / 4) << "an outline, not each of its steps";
  }
}

TEST(RegionsOfMask, RefuseWhatIsNoMask) {
  Mask mask(200, 100);
  const auto nothing = regions_of_mask(mask.view());
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, ErrorKind::bad_data);
  for (int y = 0; y < 100; y += 2)
    for (int x = 0; x < 200; x += 2) mask.at(x, y) = 1;  // noise of a lossy picture
  const auto specks = regions_of_mask(mask.view());
  ASSERT_FALSE(specks);
  EXPECT_EQ(specks.error().kind, ErrorKind::bad_data);
}

TEST(IgnoredRegion, HasThreeCornersAndAPartOfThePicture) {
  const Corners triangle = {{1.004, 1}, {20, 1}, {1, 20}};
  EXPECT_EQ(make_ignored_region(triangle, 64, 48)->corners_px[0], Eigen::Vector2d(1, 1)) << "rounded";
  EXPECT_FALSE(make_ignored_region(Corners{{1, 1}, {20, 1}}, 64, 48));
  const Corners outside = {{100, 1}, {120, 1}, {100, 20}};
  EXPECT_FALSE(make_ignored_region(outside, 64, 48));
  EXPECT_TRUE(make_ignored_region(outside, 0, 0)) << "of an unknown size";
  EXPECT_FALSE(make_ignored_region(Corners{{1, 1}, {20, 1}, {NAN, 3}}, 64, 48));
}

}  // namespace
}  // namespace vantage
