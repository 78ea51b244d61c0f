// Errors of one person in successive frames are one moment; the longest stands first.
#include "core/metrics/worst_moments.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

using enum MomentKind;

TrackRow row(int64_t frame, int64_t id, double x_m) {
  TrackRow row;
  row.frame = frame, row.id = id, row.x_m = x_m, row.y_m = 2;
  return row;
}

std::vector<TrackRow> truth_of_two(int64_t frames) {
  std::vector<TrackRow> rows;
  for (int64_t frame = 1; frame <= frames; ++frame)
    for (const int64_t id : {1, 2}) rows.push_back(row(frame, id, 5.0 * static_cast<double>(id)));
  return rows;
}

std::vector<WorstMoment> moments_of(const std::vector<TrackRow>& truth, const std::vector<TrackRow>& given,
                                    const std::set<MomentKind>& kinds) {
  const auto moments = worst_moments(truth, given, {TrackSpace::world, 0.5}, kinds);
  EXPECT_TRUE(moments) << moments.error().message();
  return moments.value_or(std::vector<WorstMoment>());
}

TEST(WorstMoments, MissedAndFalsePeopleAreJoinedOverFrames) {
  const auto truth = truth_of_two(10);
  std::vector<TrackRow> given;
  for (int64_t frame = 1; frame <= 10; ++frame) {
    if (frame != 2) given.push_back(row(frame, 11, 5));
    if (frame < 4 || frame > 8) given.push_back(row(frame, 12, 10));
    if (frame == 6 || frame == 7) given.push_back(row(frame, 13, 0));
  }
  const auto moments = moments_of(truth, given, {missed, false_found});
  ASSERT_EQ(moments.size(), 3u);
  EXPECT_EQ(moments[0], (WorstMoment{missed, 4, 4, 8, 2, 0, 0, 10, 2, "", 5}));
  EXPECT_EQ(moments[1], (WorstMoment{false_found, 6, 6, 7, 0, 13, 0, 0, 2, "", 2}));
  EXPECT_EQ(moments[2], (WorstMoment{missed, 2, 2, 2, 1, 0, 0, 5, 2, "", 1}));
  EXPECT_EQ(moment_text(moments[0]), "person 2 missed, 5 frames");
  EXPECT_EQ(moment_text(moments[2]), "person 1 missed, 1 frame");
  EXPECT_EQ(moments_of(truth, given, {false_found}).size(), 1u);
  // As many as CLEAR counts.
  const auto metrics = evaluate_tracks(truth, given, {TrackSpace::world, 0.5});
  ASSERT_TRUE(metrics);
  EXPECT_EQ(metrics->clear.false_negatives, 6);
  EXPECT_EQ(metrics->clear.false_positives, 2);
}

TEST(WorstMoments, AnExchangeLastsAsLongAsTheNewIdentity) {
  std::vector<TrackRow> given;
  for (int64_t frame = 1; frame <= 10; ++frame) {
    const bool exchanged = frame >= 4 && frame < 9;
    given.push_back(row(frame, exchanged ? 12 : 11, 5));
    given.push_back(row(frame, exchanged ? 11 : 12, 10));
  }
  const auto moments = moments_of(truth_of_two(10), given, {swapped});
  ASSERT_EQ(moments.size(), 4u);
  EXPECT_EQ(moments[0], (WorstMoment{swapped, 4, 4, 8, 1, 12, 11, 5, 2, "", 5}));
  EXPECT_EQ(moments[1].true_id, 2);
  EXPECT_EQ(moments[2].first_frame, 9);
  EXPECT_EQ(moments[2].amount, 2);
  EXPECT_EQ(moment_text(moments[0]), "person 1: ID 11 becomes 12, for 5 frames");
}

TEST(WorstMoments, WhoIsFarthestOffIsGoneToAtTheWorstFrame) {
  std::vector<TrackRow> given;
  for (int64_t frame = 1; frame <= 6; ++frame) {
    given.push_back(row(frame, 11, 5 + (frame == 4 ? 0.4 : 0.1)));
    given.push_back(row(frame, 12, 10.2));
  }
  const auto moments = moments_of(truth_of_two(6), given, {apart});
  ASSERT_EQ(moments.size(), 2u);
  EXPECT_EQ(moments[0].true_id, 1);
  EXPECT_EQ(moments[0].frame, 4);
  EXPECT_EQ(moments[0].first_frame, 1);
  EXPECT_EQ(moments[0].last_frame, 6);
  EXPECT_NEAR(moments[0].amount, 0.4, 1e-12);
  EXPECT_NEAR(moments[1].amount, 0.2, 1e-12);
}

TEST(WorstMoments, WrongRowsAreRefusedAsByTheMetrics) {
  std::vector<TrackRow> twice = {row(1, 1, 5), row(1, 1, 6)};
  EXPECT_FALSE(worst_moments(truth_of_two(1), twice, {TrackSpace::world, 0.5}, {missed}));
  EXPECT_FALSE(worst_moments(truth_of_two(1), {}, {TrackSpace::world, 0}, {missed}));
}

}  // namespace
}  // namespace vantage
