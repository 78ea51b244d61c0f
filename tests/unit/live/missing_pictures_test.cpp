// Which pictures of a stream cannot be right because others never came.
#include "core/video/live/rtp_times.h"

#include <gtest/gtest.h>

namespace vantage::test {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

// 25 pictures a second, a key picture every 25, those of [from, to) never come: how many are unfounded.
int unfounded(int from, int to, int pictures = 500, int key_every = 25) {
  MissingPictures missing;
  int count = 0;
  for (int i = 0; i < pictures; ++i) {
    if (i >= from && i < to) continue;
    count += missing.look(i * 40 * kMillisecond, i % key_every == 0);
  }
  return count;
}

TEST(MissingPictures, UntilTheNextKeyPicture) {
  EXPECT_EQ(unfounded(0, 0), 0);
  EXPECT_EQ(unfounded(30, 80), 20);  // 80 to 99
  EXPECT_EQ(unfounded(30, 100), 0);  // a key picture follows
  EXPECT_EQ(unfounded(30, 124), 1);
}

TEST(MissingPictures, FewDoLittleHarm) {
  EXPECT_EQ(unfounded(30, 33), 0);
  EXPECT_GT(unfounded(30, 38), 0);
}

TEST(MissingPictures, AStreamWithoutKeyPicturesIsBelievedAgain) {
  EXPECT_NEAR(unfounded(30, 80, 1000, 100'000), 25 * MissingPictures::kLongest_s, 2);
}

// Slow cameras, and one that becomes slower.
TEST(MissingPictures, AnotherRateIsNoGap) {
  MissingPictures missing;
  int64_t time_ns = 0;
  for (const int step_ms : {40, 120, 400, 1300})
    for (int i = 0; i < 60; ++i)
      EXPECT_FALSE(missing.look(time_ns += step_ms * kMillisecond, false)) << step_ms;
}

TEST(MissingPictures, PicturesWithoutTimesAreBelieved) {
  MissingPictures missing;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(missing.look(-1, false));
}

}  // namespace
}  // namespace vantage::test
