// Positions set by hand, those between worked out by hand.
#include "core/metrics/drawn_truth.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vantage {
namespace {

using Kind = TruthDisagreement::Kind;

// Walks along x from 0 m to 4 m in frames 10 to 20, is away in 21 to 29, and stands at x 1 m, y 2 m from 30
// on.
TruePerson walker() {
  return {1, 1.8, {{10, 0, 0}, {20, 4, 0, true}, {30, 1, 2}, {40, 1, 2}}};
}

std::set<int64_t> frames_from(int64_t first, int64_t last) {
  std::set<int64_t> frames;
  for (int64_t frame = first; frame <= last; ++frame) frames.insert(frame);
  return frames;
}

TEST(DrawnTruth, BetweenKeysPeopleWalkStraightOn) {
  const TruePerson person = walker();
  EXPECT_FALSE(true_position(person, 9)) << "before the first";
  EXPECT_TRUE(true_position(person, 10)->key);
  EXPECT_DOUBLE_EQ(true_position(person, 15)->x_m, 2);
  EXPECT_FALSE(true_position(person, 15)->key);
  EXPECT_DOUBLE_EQ(true_position(person, 20)->x_m, 4)
      << "the frame in which somebody leaves still shows them";
  EXPECT_FALSE(true_position(person, 21));
  EXPECT_FALSE(true_position(person, 29));
  EXPECT_DOUBLE_EQ(true_position(person, 35)->y_m, 2);
  EXPECT_FALSE(true_position(person, 41)) << "behind the last";
}

TEST(DrawnTruth, KeysAreSetAndRemovedInTheirOrder) {
  std::vector<TruePerson> people;
  set_key(&true_person(&people, 3), {20, 2, 0});
  set_key(&true_person(&people, 1), {5, 9, 9});
  set_key(&true_person(&people, 3), {10, 1, 0});
  set_key(&true_person(&people, 3), {20, 3, 0});
  ASSERT_EQ(people.size(), 2u);
  EXPECT_EQ(people[0].id, 1);
  EXPECT_EQ(people[1].keys, (std::vector<TruthKey>{{10, 1, 0}, {20, 3, 0}}));
  EXPECT_EQ(next_true_id(people), 4);
  EXPECT_FALSE(remove_key(&people, 3, 15));
  EXPECT_FALSE(remove_key(&people, 2, 10));
  EXPECT_TRUE(remove_key(&people, 1, 5));
  EXPECT_EQ(find_true_person(people, 1), nullptr) << "a person without a position goes";
  EXPECT_EQ(annotated_frames(people), (AnnotatedFrames{10, 20}));
  EXPECT_EQ(annotated_frames({}).count(), 0);
}

TEST(DrawnTruth, RowsAreOfEveryFrameInWhichSomebodyIsThere) {
  const std::vector<TrackRow> rows = truth_rows(std::vector{walker()});
  ASSERT_EQ(rows.size(), 22u);
  EXPECT_EQ(rows[0].frame, 11) << "frames of rows count from 1";
  EXPECT_EQ(rows[5].frame, 16);
  EXPECT_DOUBLE_EQ(rows[5].x_m, 2);
  EXPECT_EQ(rows[10].frame, 21);
  EXPECT_EQ(rows[11].frame, 31);
  EXPECT_EQ(rows[11].height_m, 1.8);
}

TEST(DrawnTruth, EveryRowBecomesAKey) {
  const std::vector<TrackRow> rows = truth_rows(std::vector{walker()});
  const std::vector<TruePerson> people = truth_of_rows(rows, frames_from(11, 41));
  ASSERT_EQ(people.size(), 1u);
  EXPECT_EQ(people[0].keys.size(), rows.size());
  const std::vector<TrackRow> again = truth_rows(people);
  ASSERT_EQ(again.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i)
    EXPECT_TRUE(again[i].frame == rows[i].frame && again[i].x_m == rows[i].x_m &&
                again[i].y_m == rows[i].y_m);
  // Where nobody looked for people between, they walk on.
  std::set<int64_t> some;
  for (const TrackRow& row : rows) some.insert(row.frame);
  const TruePerson on = truth_of_rows(rows, some)[0];
  EXPECT_TRUE(true_position(on, 25));
  for (const TruthKey& key : on.keys) EXPECT_FALSE(key.leaves);
}

TEST(DrawnTruth, FilesMayCountPeopleFromZero) {
  const std::vector<TrackRow> rows = {{.frame = 1, .id = 0, .x_m = 2}};
  EXPECT_EQ(truth_of_rows(rows, frames_from(1, 1))[0].id, 1);
}

TEST(DrawnTruth, IgnoredRowsAreLeftOut) {
  std::vector<TrackRow> rows = truth_rows(std::vector{walker()});
  for (TrackRow& row : rows) row.confidence = 0;
  EXPECT_TRUE(truth_of_rows(rows, frames_from(11, 41)).empty());
}

TEST(DrawnTruth, MergingFindsWhoIsTheSameAndWhereTheyDisagree) {
  // Theirs: the walker a little beside, until frame 15 only, then a metre off; and somebody else.
  const std::vector<TruePerson> ours = {walker()};
  const std::vector<TruePerson> theirs = {
      {1, 0, {{10, -3, 0}, {40, -3, 0}}},
      {7, 0, {{10, 0, 0.1}, {15, 2, 0.1}, {16, 2.4, 1}, {20, 4, 1, true}, {30, 1, 2}, {40, 1, 2}}}};
  const MergedTruth merged = merge_truth(ours, theirs);
  EXPECT_EQ(merged.matched, 1);
  EXPECT_EQ(merged.added, 1);
  ASSERT_EQ(merged.people.size(), 2u);
  EXPECT_EQ(merged.people[0], ours[0]) << "ours stay as they are";
  EXPECT_EQ(merged.people[1].id, 2) << "their 1 is not our 1";
  EXPECT_EQ(merged.people[1].keys, theirs[0].keys);
  ASSERT_EQ(merged.disagreements.size(), 2u);
  EXPECT_EQ(merged.disagreements[0], (TruthDisagreement{Kind::only_theirs, 0, 1, 10, 40, 0}));
  EXPECT_EQ(merged.disagreements[1], (TruthDisagreement{Kind::apart, 1, 7, 16, 20, 1}));
}

TEST(DrawnTruth, MergingComparesOnlyFramesThatBothAnnotated) {
  const std::vector<TruePerson> ours = {walker()}, theirs = {{1, 0, {{100, 0, 0}, {120, 1, 1}}}};
  const MergedTruth merged = merge_truth(ours, theirs);
  EXPECT_EQ(merged.matched, 0);
  EXPECT_EQ(merged.people.size(), 2u);
  EXPECT_TRUE(merged.disagreements.empty());
  EXPECT_EQ(merge_truth({}, theirs).people, theirs);
  EXPECT_EQ(merge_truth(theirs, {}).people, theirs);
}

}  // namespace
}  // namespace vantage
