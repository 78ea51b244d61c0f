// The pipeline's two bounded stores.
#include <gtest/gtest.h>

#include "core/pipeline/detail/checkpoints.h"
#include "core/pipeline/detail/kept_artifacts.h"
#include "tests/unit/pipeline/toy_stages.h"

namespace vantage {
namespace {

struct HundredBytes final : Artifact {
  size_t size_bytes() const override { return 100; }
};

ArtifactRef artifact() {
  return std::make_shared<HundredBytes>();
}

TEST(ArtifactCache, DropsTheLeastRecentlyUsed) {
  ArtifactCache cache(350);
  for (int64_t frame = 0; frame < 3; ++frame) cache.put({frame, 0, 1}, artifact());
  EXPECT_TRUE(cache.find({0, 0, 1}));
  cache.put({3, 0, 1}, artifact());
  EXPECT_EQ(cache.bytes(), 300u);
  EXPECT_FALSE(cache.find({1, 0, 1}));
  EXPECT_TRUE(cache.find({0, 0, 1})) << "it was used since";
  EXPECT_FALSE(cache.find({0, 1, 1})) << "another stage";
  EXPECT_FALSE(cache.find({0, 0, 2})) << "another version";
  cache.put({0, 0, 1}, artifact());
  EXPECT_EQ(cache.bytes(), 300u) << "replaced, not counted twice";
  cache.erase({0, 0, 1});
  EXPECT_EQ(cache.bytes(), 200u);
}

TEST(ArtifactCache, KeepsNothingLargerThanItself) {
  ArtifactCache cache(99);
  cache.put({0, 0, 1}, artifact());
  EXPECT_FALSE(cache.find({0, 0, 1}));
  EXPECT_EQ(cache.bytes(), 0u);
}

Checkpoint checkpoint(int64_t frame, uint64_t version) {
  return {frame, version, std::make_shared<test::ToyMemory>(0)};
}

TEST(CheckpointStore, ThinsEvenlyAndKeepsTheFirst) {
  CheckpointStore store(8000);
  for (int64_t frame = 24; frame < 25 * 400; frame += 25) store.put(1, checkpoint(frame, 5));
  EXPECT_EQ(store.bytes(), 8000u);
  ASSERT_TRUE(store.last_before(1, 5, 24));
  EXPECT_EQ(store.last_before(1, 5, 24)->frame, 24) << "the first stays";
  EXPECT_FALSE(store.last_before(1, 5, 23));
  int64_t largest_gap = 0;
  for (int64_t frame = 24, last = 24; frame < 25 * 400; ++frame) {
    if (store.contains(1, 5, frame)) largest_gap = std::max(largest_gap, frame - last), last = frame;
  }
  EXPECT_LE(largest_gap, 25 * 400 / 2) << "what is left spreads over the recording";
}

TEST(CheckpointStore, FindsTheNearestOfAnyVersion) {
  CheckpointStore store(1 << 20);
  EXPECT_FALSE(store.nearest(1, 5, 10));
  store.put(1, checkpoint(10, 4));
  store.put(1, checkpoint(30, 5));
  store.put(2, checkpoint(21, 5));
  EXPECT_EQ(store.nearest(1, 5, 12)->frame, 10);
  EXPECT_EQ(store.nearest(1, 5, 20)->frame, 30) << "equally near: the present version's";
  EXPECT_EQ(store.nearest(1, 4, 20)->frame, 10);
  EXPECT_FALSE(store.last_before(1, 5, 29));
}

TEST(CheckpointStore, OfManyVersionsTheLongestUnusedGoes) {
  CheckpointStore store(3000);
  for (uint64_t version = 1; version <= 6; ++version) store.put(0, checkpoint(24, version));
  EXPECT_EQ(store.bytes(), 3000u);
  EXPECT_FALSE(store.contains(0, 1, 24));
  EXPECT_TRUE(store.contains(0, 6, 24));
}

}  // namespace
}  // namespace vantage
