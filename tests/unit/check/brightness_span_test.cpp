// Motion in the pictures learnt as the empty scene, distinguished from a camera that shakes.
#include <gtest/gtest.h>

#include <random>

#include "core/check/detail/sample.h"
#include "tests/support/textured_pictures.h"

namespace vantage {
namespace {

constexpr int kSpanWidth = 320, kSpanHeight = 240;
constexpr double kSomebody = 0.001;  // share of the picture: more motion is a person

// `walks`: a person crosses the picture.
double moved_share(bool steady, bool walks, IgnoredRegions ignored = {}) {
  const test::TexturedScene scene(9);
  std::mt19937 random(4);
  std::normal_distribution<double> shake(0, 1.5);
  BrightnessSpan span(steady, std::move(ignored));
  for (int i = 0; i < 25; ++i) {
    Picture picture = scene.seen(kSpanWidth, kSpanHeight, shake(random), shake(random), random);
    if (walks) test::fill_luma(picture, 40 + 8 * i, 80, 60 + 8 * i, 140, 240);
    span.add(picture);
  }
  return span.moved_share();
}

TEST(BrightnessSpan, ShakingMovesNothing) {
  EXPECT_LT(moved_share(true, false), kSomebody);
  EXPECT_GT(moved_share(false, false), 50 * kSomebody) << "without bringing pictures back";
}

TEST(BrightnessSpan, SomebodyWhoCrossesTheShakingPictureMoves) {
  const double share = moved_share(true, true);
  const double crossed = 212.0 * 60 / (kSpanWidth * kSpanHeight);
  EXPECT_GT(share, 0.8 * crossed);
  EXPECT_LT(share, 1.4 * crossed);
}

TEST(BrightnessSpan, NothingMovesInIgnoredRegions) {
  EXPECT_LT(moved_share(true, true, {{{{0, 70}, {319, 70}, {319, 150}, {0, 150}}}}), kSomebody);
}

}  // namespace
}  // namespace vantage
