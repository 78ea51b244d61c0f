// Masks painted by hand: every pixel by its own definition, slowly.
#include "core/metrics/masks/mask_painting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/metrics/masks/masks.h"

namespace vantage {
namespace {

Image blank(int width, int height) {
  return empty_mask(width, height, HostPool::shared()).value();
}

int64_t count_of(const Image& mask) {
  int64_t count = 0;
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x) count += mask.view<uint8_t>().row(y)[x] == kInMask;
  return count;
}

void expect_mask(const Image& mask, const std::function<bool(int x, int y)>& inside) {
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x)
      ASSERT_EQ(mask.view<uint8_t>().row(y)[x], inside(x, y) ? kInMask : 0) << x << ", " << y;
}

double distance_to_line(const Eigen::Vector2d& p, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  if (a == b) return (p - a).norm();
  const double share = (p - a).dot(b - a) / (b - a).squaredNorm();
  if (share <= 0) return (p - a).norm();
  if (share >= 1) return (p - b).norm();
  const Eigen::Vector2d along = (b - a).normalized();
  return std::abs(along.x() * (p - a).y() - along.y() * (p - a).x());
}

TEST(MaskPainting, AStrokeIsWhatLiesWithinItsRadius) {
  std::mt19937 random(31);
  std::uniform_real_distribution<double> somewhere(-20, 80), radii(0.5, 12);
  for (int trial = 0; trial < 50; ++trial) {
    const Eigen::Vector2d a(somewhere(random), somewhere(random));
    const Eigen::Vector2d b = trial % 5 ? Eigen::Vector2d(somewhere(random), somewhere(random)) : a;
    const double radius = radii(random);
    Image mask = blank(61, 43);
    paint_stroke(mask.writable_view<uint8_t>(), a, b, radius, Paint::add);
    for (int y = 0; y < 43; ++y)
      for (int x = 0; x < 61; ++x) {
        const double distance = distance_to_line({x, y}, a, b);
        if (std::abs(distance - radius) > 1e-9) {
          ASSERT_EQ(mask.view<uint8_t>().row(y)[x], distance < radius ? kInMask : 0) << trial;
        }
      }
  }
}

TEST(MaskPainting, AClickPaintsOnePixelAtLeastAndErasesIt) {
  Image mask = blank(20, 10);
  paint_stroke(mask.writable_view<uint8_t>(), {7.3, 4.2}, {7.3, 4.2}, 0, Paint::add);
  expect_mask(mask, [](int x, int y) { return x == 7 && y == 4; });
  paint_stroke(mask.writable_view<uint8_t>(), {7, 4}, {7, 4}, 3, Paint::erase);
  EXPECT_EQ(count_of(mask), 0);
  paint_stroke(mask.writable_view<uint8_t>(), {-50, -50}, {-40, 200}, 5, Paint::add);
  paint_stroke(mask.writable_view<uint8_t>(), {1e12, 3}, {1e12, 4}, 5, Paint::add);
  EXPECT_EQ(count_of(mask), 0) << "beside the picture";
}

// Even-odd by counting the sides that a ray to the right meets.
TEST(MaskPainting, APolygonIsWhatItsSidesEnclose) {
  std::mt19937 random(32);
  std::uniform_real_distribution<double> somewhere(-15, 70);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Eigen::Vector2d> corners(3 + static_cast<size_t>(trial) % 6);
    for (Eigen::Vector2d& corner : corners) corner = {somewhere(random), somewhere(random)};
    Image mask = blank(60, 50);
    paint_polygon(mask.writable_view<uint8_t>(), corners, Paint::add);
    expect_mask(mask, [&](int x, int y) {
      bool inside = false;
      for (size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++)
        if ((corners[i].y() > y) != (corners[j].y() > y) &&
            x < (corners[j].x() - corners[i].x()) * (y - corners[i].y()) / (corners[j].y() - corners[i].y()) +
                    corners[i].x())
          inside = !inside;
      return inside;
    });
  }
  Image mask = blank(10, 10);
  const std::vector<Eigen::Vector2d> two = {{1, 1}, {8, 8}};
  paint_polygon(mask.writable_view<uint8_t>(), two, Paint::add);
  EXPECT_EQ(count_of(mask), 0) << "two corners enclose nothing";
}

TEST(MaskPainting, FillingTakesTheAreaThatIsJoined) {
  Image mask = blank(30, 20);
  const ImageView<uint8_t> rows = mask.writable_view<uint8_t>();
  // A ring: 10 x 10 outside, 6 x 6 inside.
  for (int y = 5; y < 15; ++y)
    for (int x = 5; x < 15; ++x) rows.row(y)[x] = x < 7 || x >= 13 || y < 7 || y >= 13 ? kInMask : 0;
  EXPECT_EQ(fill_area(rows, {10, 10}, Paint::add), 36);
  EXPECT_EQ(count_of(mask), 100) << "the hole, not what is around";
  EXPECT_EQ(fill_area(rows, {10, 10}, Paint::add), 0) << "is filled already";
  rows.row(15)[15] = kInMask;  // touches by a corner only
  EXPECT_EQ(fill_area(rows, {6, 6}, Paint::erase), 100);
  EXPECT_EQ(count_of(mask), 1);
  EXPECT_EQ(fill_area(rows, {-3, 4}, Paint::add), 0);
  EXPECT_EQ(fill_area(rows, {30, 4}, Paint::add), 0);
}

TEST(MaskPainting, GrowingStopsWhereTheColourChanges) {
  Image rgb = Image::make(ImageType::u8, 3 * 40, 30, HostPool::shared()).value();
  const ImageView<uint8_t> colors = rgb.writable_view<uint8_t>();
  // A red square with slow shading on grey, and another one that it does not touch.
  const auto red = [](int x, int y) { return x >= 10 && x < 20 && y >= 5 && y < 15; };
  const auto apart = [](int x, int y) { return x >= 25 && x < 35 && y >= 5 && y < 15; };
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) {
      const bool is_red = red(x, y) || apart(x, y);
      colors.row(y)[3 * x] = static_cast<uint8_t>(is_red ? 180 + x : 90);
      colors.row(y)[3 * x + 1] = colors.row(y)[3 * x + 2] = is_red ? 30 : 90;
    }
  Image mask = blank(40, 30);
  const ImageView<uint8_t> rows = mask.writable_view<uint8_t>();
  EXPECT_EQ(grow_by_color(rows, rgb.view<uint8_t>(), {15, 10}, 20, 1000, Paint::add), 100);
  expect_mask(mask, red);
  EXPECT_EQ(grow_by_color(rows, rgb.view<uint8_t>(), {15, 10}, 2, 1000, Paint::erase), 50)
      << "columns 13 to 17";
  EXPECT_EQ(count_of(mask), 50);
  EXPECT_EQ(grow_by_color(rows, rgb.view<uint8_t>(), {15, 10}, 20, 3, Paint::add), 49) << "7 x 7";
  EXPECT_EQ(grow_by_color(rows, rgb.view<uint8_t>(), {15, 10}, 442, 1000, Paint::add), 40 * 30);
  EXPECT_EQ(grow_by_color(rows, rgb.view<uint8_t>(), {40, 10}, 442, 1000, Paint::add), 0) << "outside";
}

TEST(MaskPainting, IoUCountsPixels) {
  Image a = blank(10, 10), b = blank(10, 10);
  EXPECT_EQ(overlap_of(a.view<uint8_t>(), b.view<uint8_t>()).iou(), 1) << "nobody in either";
  for (int x = 0; x < 6; ++x) a.writable_view<uint8_t>().row(2)[x] = 1;
  for (int x = 4; x < 10; ++x) b.writable_view<uint8_t>().row(2)[x] = 128;
  b.writable_view<uint8_t>().row(5)[5] = 127;  // not above the threshold
  const MaskOverlap overlap = overlap_of(a.view<uint8_t>(), b.view<uint8_t>());
  EXPECT_EQ(overlap, (MaskOverlap{2, 10}));
  EXPECT_EQ(overlap.iou(), 0.2);
}

}  // namespace
}  // namespace vantage
