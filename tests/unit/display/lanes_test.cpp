#include "core/display/lanes.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

PersonPath path_of(int64_t id, const std::vector<std::pair<int64_t, bool>>& frames) {
  PersonPath path{id, {}};
  for (const auto& [frame, seen] : frames) path.points.push_back({frame, 0, 0, 1.7, seen ? 0.9 : 0, seen});
  return path;
}

TEST(Lanes, AreRunsOfFramesInWhichSomebodyWasFound) {
  const std::vector<int64_t> frames = {0, 1, 2, 3, 4, 10, 11, 12};  // 5 to 9 were not analysed
  const std::vector<PersonPath> paths = {
      path_of(3,
              {{0, true}, {1, true}, {2, false}, {3, true}, {4, true}, {10, true}, {11, true}, {12, true}}),
      path_of(5, {{1, true}, {3, true}}), path_of(6, {{2, false}})};
  const std::vector<Lane> lanes = lanes_of(paths, frames);
  ASSERT_EQ(lanes.size(), 2u) << "who was never found has none";
  using Runs = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(lanes[0].seen, (Runs{{0, 1}, {3, 12}})) << "frames that were not analysed are no loss";
  EXPECT_FALSE(lanes[0].born || lanes[0].lost);
  EXPECT_EQ(lanes[1].id, 5);
  EXPECT_EQ(lanes[1].seen, (Runs{{1, 1}, {3, 3}})) << "a missing point is a loss as a bridged one is";
  EXPECT_TRUE(lanes[1].born && lanes[1].lost);
}

}  // namespace
}  // namespace vantage
