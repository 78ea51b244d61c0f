#include "core/image/picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/textured_pictures.h"

namespace vantage {
namespace {

Picture noisy(PictureLayout layout, int width, int height, uint32_t seed) {
  std::mt19937 random(seed);
  Picture picture = Picture::make({layout, width, height}, HostPool::shared()).value();
  for (int p = 0; p < picture.plane_count(); ++p)
    for (int y = 0; y < picture.plane(p).height; ++y)
      for (int x = 0; x < picture.plane(p).width; ++x)
        picture.writable_plane(p).at(x, y) = static_cast<uint8_t>(random());
  return picture;
}

// Keys' kernel, a = -1/2, as it is written in the paper.
double kernel(double s) {
  s = std::abs(s);
  if (s < 1) return 1.5 * s * s * s - 2.5 * s * s + 1;
  if (s < 2) return -0.5 * s * s * s + 2.5 * s * s - 4 * s + 2;
  return 0;
}

double convolved(const ImageView<const uint8_t>& plane, int channel, int step, double x, double y) {
  double sum = 0;
  const int width = plane.width / step;
  for (int j = static_cast<int>(std::floor(y)) - 2; j <= std::floor(y) + 3; ++j)
    for (int i = static_cast<int>(std::floor(x)) - 2; i <= std::floor(x) + 3; ++i)
      sum += kernel(x - i) * kernel(y - j) *
             plane.at(std::clamp(i, 0, width - 1) * step + channel, std::clamp(j, 0, plane.height - 1));
  return std::clamp(sum, 0.0, 255.0);
}

TEST(PictureShift, WeightsAreOneInAll) {
  for (int f = -200; f <= 200; ++f) {
    const ShiftWeights weights = shift_weights(f);
    int sum = 0;
    for (int k = 0; k < 4; ++k) {
      sum += weights.weight[k];
      EXPECT_NEAR(weights.weight[k], ShiftWeights::kOne * kernel(f / 32.0 - weights.first - k), 1.51) << f;
    }
    EXPECT_EQ(sum, ShiftWeights::kOne);
  }
}

TEST(PictureShift, IsKeysConvolutionInBothLayouts) {
  for (const auto layout : {PictureLayout::i420, PictureLayout::nv12})
    for (const PictureShift shift : {PictureShift{0, 0}, {16, -32}, {5, 11}, {-37, 3}, {200, -90}}) {
      SCOPED_TRACE(testing::Message() << shift.dx_16 << ' ' << shift.dy_16);
      const Picture picture = noisy(layout, 37, 22, 4);
      const Picture moved = shifted(picture, shift, HostPool::shared()).value();
      for (int p = 0; p < picture.plane_count(); ++p) {
        const int step = layout == PictureLayout::nv12 && p == 1 ? 2 : 1;
        const double scale = p == 0 ? 16 : 32;
        for (int y = 0; y < picture.plane(p).height; ++y)
          for (int x = 0; x < picture.plane(p).width; ++x)
            ASSERT_NEAR(moved.plane(p).at(x, y),
                        convolved(picture.plane(p), x % step, step, x / step + shift.dx_16 / scale,
                                  y + shift.dy_16 / scale),
                        4.5)
                << "plane " << p << ", " << x << ", " << y;  // weights are rounded to 1/128
      }
    }
}

TEST(PictureShift, BringsAMovedSceneBack) {
  std::mt19937 random(2);
  const test::TexturedScene scene(7);
  const Picture still = scene.seen(160, 120, 0, 0, random, 0),
                moved = scene.seen(160, 120, 2.25, -1.5, random, 0);
  const Picture back = shifted(moved, {36, -24}, HostPool::shared()).value();
  for (int y = 8; y < 112; ++y)
    for (int x = 8; x < 152; ++x)
      ASSERT_NEAR(back.plane(0).at(x, y), still.plane(0).at(x, y), 2) << x << ", " << y;
}

}  // namespace
}  // namespace vantage
