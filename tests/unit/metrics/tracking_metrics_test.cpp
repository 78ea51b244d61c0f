#include "core/metrics/tracking_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

// A person standing at x on the floor.
TrackRow at(int64_t frame, int64_t id, double x_m) {
  TrackRow row;
  row.frame = frame;
  row.id = id;
  row.x_m = x_m;
  row.y_m = 0;
  return row;
}

TrackingMetrics in_world(const std::vector<TrackRow>& truth, const std::vector<TrackRow>& given) {
  const auto metrics = evaluate_tracks(truth, given, {TrackSpace::world, 0.5});
  EXPECT_TRUE(metrics) << metrics.error().message();
  return *metrics;
}

TEST(TrackingMetrics, PerfectIsOne) {
  std::vector<TrackRow> rows;
  for (int f = 0; f < 10; ++f) rows.push_back(at(f, 1, f)), rows.push_back(at(f, 2, f + 5));
  const TrackingMetrics m = in_world(rows, rows);
  EXPECT_EQ(m.clear.mota, 1);
  EXPECT_EQ(m.clear.motp, 1);
  EXPECT_EQ(m.clear.mostly_tracked, 2);
  EXPECT_EQ(m.identity.idf1, 1);
  EXPECT_DOUBLE_EQ(m.hota.hota, 1);
  EXPECT_DOUBLE_EQ(m.hota.loc_a, 1);
}

// One person over 10 frames, found in all of them, under identity 1 for 6 and 2 for 4.
TEST(TrackingMetrics, OneSwitchInClosedForm) {
  std::vector<TrackRow> truth, given;
  for (int f = 0; f < 10; ++f) truth.push_back(at(f, 1, 0)), given.push_back(at(f, f < 6 ? 1 : 2, 0));
  const TrackingMetrics m = in_world(truth, given);
  EXPECT_EQ(m.clear.switches, 1);
  EXPECT_EQ(m.clear.all_switches, (std::vector<TrackSwitch>{{6, 1, 1, 2}}));
  EXPECT_DOUBLE_EQ(m.clear.mota, 0.9);
  EXPECT_DOUBLE_EQ(m.clear.moda, 1.0);
  EXPECT_EQ(m.clear.fragments, 0);
  EXPECT_DOUBLE_EQ(m.identity.idf1, 0.6);  // 6 of 10 on both sides
  // A(1) = 6 / (10 + 6 - 6), A(2) = 4 / (10 + 4 - 4), weighted by their matches.
  EXPECT_NEAR(m.hota.ass_a, (6 * 0.6 + 4 * 0.4) / 10, 1e-12);
  EXPECT_NEAR(m.hota.hota, std::sqrt(0.52), 1e-12);
}

// Found 0.3 m beside the truth. Of four frames one has no true and one no given height; the two left differ
// by +0.1 and -0.2 m.
TEST(TrackingMetrics, PlacesAndHeightsInClosedForm) {
  std::vector<TrackRow> truth, given;
  for (int f = 0; f < 4; ++f) {
    truth.push_back(at(f, 1, 0)), given.push_back(at(f, 1, 0.3));
    truth.back().height_m = f == 0 ? 0 : 1.8;
    given.back().height_m = f == 1 ? 0 : f == 2 ? 1.9 : 1.6;
  }
  given.push_back(at(2, 2, 4)), given.back().height_m = 9;  // nobody is there
  const TrackingMetrics m = in_world(truth, given);
  EXPECT_EQ(m.clear.true_positives, 4);
  EXPECT_NEAR(m.places.floor_error_m, 0.3, 1e-12);
  EXPECT_EQ(m.places.heights, 2);
  EXPECT_NEAR(m.places.height_error_m, 0.15, 1e-12);
  EXPECT_NEAR(m.places.height_bias_m, -0.05, 1e-12);
}

TEST(TrackingMetrics, AnEleventhColumnIsTheHeight) {
  TrackRow row = at(3, 4, 0.5);
  row.height_m = 1.7325;
  const auto rows = read_mot_csv(mot_csv_row(row) + mot_csv_row(at(4, 4, 0.5)), "rows");
  ASSERT_TRUE(rows);
  EXPECT_DOUBLE_EQ((*rows)[0].height_m, 1.7325);
  EXPECT_EQ((*rows)[1].height_m, 0) << "unknown";
  EXPECT_EQ(read_mot_csv("1,2,3,4,5,6,1,7,8,9,name\n", "other").value()[0].height_m, 0);
}

// Missed in the middle third: a fragment, no switch.
TEST(TrackingMetrics, AGapIsAFragment) {
  std::vector<TrackRow> truth, given;
  for (int f = 0; f < 9; ++f) {
    truth.push_back(at(f, 1, 0));
    truth.push_back(at(f, 2, 20));
    given.push_back(at(f, 5, 20));
    if (f < 3 || f >= 6) given.push_back(at(f, 4, 0));
  }
  const TrackingMetrics m = in_world(truth, given);
  EXPECT_EQ(m.clear.false_negatives, 3);
  EXPECT_EQ(m.clear.fragments, 1);
  EXPECT_EQ(m.clear.switches, 0);
  EXPECT_EQ(m.clear.mostly_tracked, 1);
  EXPECT_EQ(m.clear.partly_tracked, 1);
  EXPECT_DOUBLE_EQ(m.clear.recall, 15.0 / 18);
}

TEST(TrackingMetrics, DistanceThresholdIsIncluded) {
  EXPECT_EQ(in_world({at(0, 1, 0)}, {at(0, 1, 0.5)}).clear.true_positives, 1);
  EXPECT_EQ(in_world({at(0, 1, 0)}, {at(0, 1, 0.5001)}).clear.true_positives, 0);
  EXPECT_DOUBLE_EQ(in_world({at(0, 1, 0)}, {at(0, 1, 0.25)}).clear.motp, 0.75);
}

TEST(TrackingMetrics, ThePairOfTheFrameBeforeIsKept) {
  // In frame 1 the other identity is nearer, but the pair of frame 0 still lies within the threshold.
  const TrackingMetrics m = in_world({at(0, 1, 0), at(1, 1, 0)}, {at(0, 1, 0), at(1, 1, 0.4), at(1, 2, 0.1)});
  EXPECT_EQ(m.clear.switches, 0);
  EXPECT_EQ(m.clear.false_positives, 1);
}

TEST(TrackingMetrics, EmptySides) {
  const TrackingMetrics nothing = in_world({}, {});
  EXPECT_EQ(nothing.clear.mota, 0);
  EXPECT_EQ(in_world({at(0, 1, 0)}, {}).clear.false_negatives, 1);
  EXPECT_EQ(in_world({}, {at(0, 1, 0)}).clear.false_positives, 1);
}

TEST(TrackingMetrics, WrongInputIsNamed) {
  const auto twice = evaluate_tracks({at(3, 7, 0), at(3, 7, 1)}, {}, {TrackSpace::world, 0.5});
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message().find("frame 3, id 7"), std::string::npos);
  EXPECT_FALSE(evaluate_tracks({at(0, 1, NAN)}, {}, {TrackSpace::world, 0.5}));
  EXPECT_FALSE(evaluate_tracks({}, {}, {TrackSpace::image, 1.5}));
  EXPECT_NE(read_mot_csv("1,2,3,4,5,6\n1,2,x,4,5,6\n", "a.csv").error().message().find("a.csv, line 2"),
            std::string::npos);
  EXPECT_FALSE(read_mot_csv("1,2,3\n", "a.csv"));
  EXPECT_EQ(read_mot_csv("1, 2, 3, 4, 5, 6\r\n\n2,2,3,4,5,6,1,7,8,9,10\n", "a.csv")->size(), 2u);
}

// The figures that the authors of py-motmetrics publish for this pair of files.
// Compared, the -1 in place of what is absent would all agree, or none would.
TEST(TrackingMetrics, WhatIsNotInTheFileIsNotCompared) {
  const std::vector<TrackRow> boxes = read_mot_csv("1,1,10,10,20,40,1,-1,-1,-1\n", "boxes").value();
  const std::vector<TrackRow> floor = read_mot_csv("1,1,-1,-1,-1,-1,1,0.2,0.6,0\n", "floor").value();
  const EvaluationOptions in_image, on_floor{.space = TrackSpace::world};
  EXPECT_TRUE(evaluate_tracks(boxes, boxes, in_image));
  EXPECT_TRUE(evaluate_tracks(floor, floor, on_floor));
  const auto no_boxes = evaluate_tracks(boxes, floor, in_image),
             no_places = evaluate_tracks(boxes, floor, on_floor);
  ASSERT_FALSE(no_boxes);
  EXPECT_NE(no_boxes.error().message().find("the result holds no boxes"), std::string::npos);
  ASSERT_FALSE(no_places);
  EXPECT_NE(no_places.error().message().find("the ground truth holds no positions"), std::string::npos);
}

TEST(TrackingMetrics, TudCampusEqualsThePublishedFigures) {
  VANTAGE_NEED_DATA(folder, "mot-tud");
  const auto truth = read_mot_csv(*read_file(folder / "TUD-Campus/gt.txt"), "gt.txt");
  const auto given = read_mot_csv(*read_file(folder / "TUD-Campus/test.txt"), "test.txt");
  ASSERT_TRUE(truth && given);
  const auto m = evaluate_tracks(*truth, *given, {TrackSpace::image, 0.5});
  ASSERT_TRUE(m);
  EXPECT_NEAR(m->clear.mota, 0.526, 5e-4);
  EXPECT_NEAR(1 - m->clear.motp, 0.277, 5e-4);
  EXPECT_EQ(m->clear.false_positives, 13);
  EXPECT_EQ(m->clear.false_negatives, 150);
  EXPECT_EQ(m->clear.switches, 7);
  EXPECT_EQ(m->clear.fragments, 7);
  EXPECT_EQ(m->clear.mostly_tracked, 1);
  EXPECT_EQ(m->clear.partly_tracked, 6);
  EXPECT_EQ(m->clear.mostly_lost, 1);
  EXPECT_NEAR(m->identity.idf1, 0.558, 5e-4);
  EXPECT_NEAR(m->identity.precision, 0.730, 5e-4);
  EXPECT_NEAR(m->identity.recall, 0.451, 5e-4);
}

// As TrackEval prepares MOT16 and MOT17: frame, id, box, counts, class, visibility.
TEST(Distractors, AreNeitherRightNorWrong) {
  const auto truth = read_mot_csv(
      "1,1,0,0,10,20,1,1,1\n"      // a pedestrian
      "1,2,100,0,10,20,0,7,0.5\n"  // stands still
      "1,3,200,0,10,20,0,12,1\n"   // a reflection
      "1,4,300,0,10,20,0,3,1\n",   // a car
      "gt.txt");
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->at(1).label, 7);
  const auto given = read_mot_csv(
      "1,1,1,0,10,20,1,-1,-1,-1\n1,2,101,0,10,20,1,-1,-1,-1\n1,3,201,0,10,20,1,-1,-1,-1\n"
      "1,4,301,0,10,20,1,-1,-1,-1\n",
      "result");
  ASSERT_TRUE(given);
  const auto metrics = evaluate_tracks(*truth, *given, {});
  ASSERT_TRUE(metrics);
  EXPECT_EQ(metrics->true_rows, 1);
  EXPECT_EQ(metrics->clear.true_positives, 1);
  EXPECT_EQ(metrics->clear.false_positives, 1);  // the car's
  EXPECT_EQ(metrics->clear.false_negatives, 0);
}

TEST(Distractors, PositionsOnTheFloorAreNoClasses) {
  const auto rows = read_mot_csv("1,1,0,0,10,20,1,2,0.5,0\n", "tracks.csv");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->at(0).label, 0);
  EXPECT_EQ(rows->at(0).x_m, 2);
  EXPECT_EQ(read_mot_csv("1,1,0,0,10,20,1,2.5,0.5\n", "floor.csv").value()[0].label, 0);
}

}  // namespace
}  // namespace vantage
