// The timeline's summary of live sets stays bounded and keeps analysed sets.
#include "core/session/detail/live_tracks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace vantage {
namespace {

void note(LiveSummary& summary, int64_t set, int thinning) {
  FrameResult result;
  result.frame = set;
  summary.note(result, thinning);
}

int64_t analysed(const SetSummaries& sets) {
  return std::count_if(sets.entries.begin(), sets.entries.end(),
                       [](const FrameSummary& entry) { return entry.state == FrameState::current; });
}

TEST(LiveSummary, ASetSpeaksForThoseThatAreLeftOutBehindIt) {
  LiveSummary summary;
  note(summary, 3, 2);
  note(summary, 9, 1);
  const SetSummariesRef sets = summary.sets();
  EXPECT_EQ(sets->every, 1);
  ASSERT_EQ(sets->entries.size(), 10u);
  for (const size_t set : {3u, 4u, 9u}) EXPECT_EQ(sets->entries[set].state, FrameState::current) << set;
  EXPECT_EQ(analysed(*sets), 3);
}

TEST(LiveSummary, TwoEntriesBecomeOneWhenThereAreTooMany) {
  LiveSummary summary;
  constexpr int64_t kMax = LiveSummary::kMax;
  note(summary, 5, 1);  // the only analysed one among these sets
  note(summary, kMax - 1, 1);
  EXPECT_EQ(summary.sets()->every, 1);
  note(summary, kMax, 1);
  EXPECT_EQ(summary.sets()->every, 2);
  note(summary, 5 * kMax, 1);
  const SetSummariesRef sets = summary.sets();
  EXPECT_EQ(sets->every, 8);
  EXPECT_LE(static_cast<int64_t>(sets->entries.size()), kMax);
  EXPECT_EQ(sets->entries[0].state, FrameState::current);  // sets 0 to 7
  EXPECT_EQ(sets->entries[1].state, FrameState::not_analysed);
  EXPECT_EQ(sets->entries[kMax / 8 - 1].state, FrameState::current);
  EXPECT_EQ(sets->entries[kMax / 8].state, FrameState::current);
  EXPECT_EQ(sets->entries.back().state, FrameState::current);
  EXPECT_EQ(analysed(*sets), 4);
}

TEST(LiveSummary, WhatIsNoLongerKeptIsForgotten) {
  LiveSummary summary;
  constexpr int64_t kMax = LiveSummary::kMax;
  for (int64_t set = 0; set < 100; ++set) note(summary, set, 1);
  summary.forget_before(40);
  const SetSummariesRef kept = summary.sets();
  EXPECT_EQ(kept->first, 40);
  EXPECT_EQ(kept->entries.size(), 60u);
  note(summary, 30, 1);
  EXPECT_EQ(summary.sets()->entries.size(), 60u) << "what comes late for that is left out";
  note(summary, 40 + 2 * kMax, 1);
  EXPECT_EQ(summary.sets()->every, 4);
  summary.forget_before(10 * kMax);
  EXPECT_EQ(summary.sets()->every, 1) << "nothing is left that was counted coarsely";
  note(summary, 10 * kMax + 3, 1);
  EXPECT_EQ(summary.sets()->first, 10 * kMax);
  EXPECT_EQ(summary.sets()->entries.size(), 4u);
}

}  // namespace
}  // namespace vantage
