// OSPA and GOSPA against values worked out by hand, and against every assignment tried one by one.
#include "core/metrics/set_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/metrics/tracking_metrics.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

using Points = std::vector<FloorPoint>;

double apart_m(const FloorPoint& a, const FloorPoint& b) {
  return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
}

// By its definition: of every order of the larger set, the smaller one's people with the first of it.
double ospa_by_permutations(const Points& a, const Points& b, const SetDistanceOptions& how) {
  const Points &few = a.size() <= b.size() ? a : b, &many = a.size() <= b.size() ? b : a;
  if (many.empty()) return 0;
  std::vector<size_t> order(many.size());
  std::iota(order.begin(), order.end(), 0);
  double best = INFINITY;
  do {
    double sum = std::pow(how.cutoff_m, how.order) * static_cast<double>(many.size() - few.size());
    for (size_t i = 0; i < few.size(); ++i)
      sum += std::pow(std::min(how.cutoff_m, apart_m(few[i], many[order[i]])), how.order);
    best = std::min(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return std::pow(best / static_cast<double>(many.size()), 1 / how.order);
}

// By its definition: over every set of pairs, taken or left one true person after the other.
double gospa_of_rest(const Points& truth, const Points& given, size_t from, std::vector<char>* taken,
                     const SetDistanceOptions& how) {
  const double alone = std::pow(how.cutoff_m, how.order) / 2;
  if (from == truth.size())
    return alone * static_cast<double>(std::count(taken->begin(), taken->end(), char{0}));
  double best = alone + gospa_of_rest(truth, given, from + 1, taken, how);
  for (size_t j = 0; j < given.size(); ++j) {
    if ((*taken)[j]) continue;
    (*taken)[j] = 1;
    best = std::min(best, std::pow(apart_m(truth[from], given[j]), how.order) +
                              gospa_of_rest(truth, given, from + 1, taken, how));
    (*taken)[j] = 0;
  }
  return best;
}

double gospa_by_all_pairs(const Points& truth, const Points& given, const SetDistanceOptions& how) {
  std::vector<char> taken(given.size());
  return std::pow(gospa_of_rest(truth, given, 0, &taken, how), 1 / how.order);
}

TEST(SetDistance, ByHand) {
  // One found 0.3 m off, one missed, nobody false; c = 1 m.
  const SetDistance first = set_distance(Points{{0, 0}, {5, 0}}, Points{{0.3, 0}}, {1, 1});
  EXPECT_NEAR(first.ospa_m, (0.3 + 1) / 2, 1e-12);
  EXPECT_NEAR(first.gospa_m, 0.3 + 0.5, 1e-12);
  EXPECT_NEAR(first.localisation, 0.3, 1e-12);
  EXPECT_NEAR(first.missed, 0.5, 1e-12);
  EXPECT_EQ(first.false_found, 0);
  const SetDistance second = set_distance(Points{{0, 0}, {5, 0}}, Points{{0.3, 0}}, {1, 2});
  EXPECT_NEAR(second.ospa_m, std::sqrt((0.09 + 1) / 2), 1e-12);
  EXPECT_NEAR(second.gospa_m, std::sqrt(0.09 + 0.5), 1e-12);
  EXPECT_NEAR(second.localisation + second.missed, second.gospa_m * second.gospa_m, 1e-12);
}

TEST(SetDistance, EmptySetsAndTheCutOff) {
  EXPECT_EQ(set_distance(Points{}, Points{}, {1, 2}).ospa_m, 0);
  EXPECT_EQ(set_distance(Points{}, Points{}, {1, 2}).gospa_m, 0);
  EXPECT_EQ(set_distance(Points{{0, 0}}, Points{}, {0.7, 2}).ospa_m, 0.7);
  EXPECT_EQ(set_distance(Points{}, Points{{0, 0}, {1, 1}}, {0.7, 2}).ospa_m, 0.7);
  // Farther apart than c: one missed and one false person, which cost c together.
  const SetDistance far = set_distance(Points{{0, 0}}, Points{{3, 0}}, {0.5, 1});
  EXPECT_EQ(far.ospa_m, 0.5);
  EXPECT_EQ(far.gospa_m, 0.5);
  EXPECT_EQ(far.missed, 0.25);
  EXPECT_EQ(far.false_found, 0.25);
  EXPECT_EQ(far.localisation, 0);
}

// The nearest pair first would leave the other two far apart.
TEST(SetDistance, TheAssignmentIsTheBestOneOfAll) {
  const Points truth{{0, 0}, {1, 0}}, given{{0.9, 0}, {1.8, 0}};
  EXPECT_NEAR(set_distance(truth, given, {2, 1}).gospa_m, 0.9 + 0.8, 1e-12) << "not 0.1 + 1.8";
  // With a smaller cut-off one pair and two without a partner cost less.
  EXPECT_NEAR(set_distance(truth, given, {1, 1}).gospa_m, 0.1 + 0.5 + 0.5, 1e-12);
}

TEST(SetDistance, EqualsEveryAssignmentTried) {
  std::mt19937 random(test::test_seed());
  std::uniform_real_distribution<double> place(0, 3);
  for (int round = 0; round < 400; ++round) {
    Points truth(random() % 6), given(random() % 6);
    for (Points* points : {&truth, &given})
      for (FloorPoint& point : *points) point = {place(random), place(random)};
    for (const SetDistanceOptions how : {SetDistanceOptions{0.5, 1}, {1, 2}, {2.5, 1.5}}) {
      const SetDistance distance = set_distance(truth, given, how);
      EXPECT_NEAR(distance.ospa_m, ospa_by_permutations(truth, given, how), 1e-9);
      EXPECT_NEAR(distance.gospa_m, gospa_by_all_pairs(truth, given, how), 1e-9);
      EXPECT_NEAR(std::pow(distance.gospa_m, how.order),
                  distance.localisation + distance.missed + distance.false_found, 1e-9);
    }
  }
}

TrackRow placed(int64_t frame, int64_t id, double x_m) {
  TrackRow row;
  row.frame = frame, row.id = id, row.x_m = x_m, row.y_m = 0;
  return row;
}

// Means over three frames: found 0.2 m off, missed, and somebody false beside one who is right.
TEST(SetDistance, OfTracksIsTheMeanOverFrames) {
  const std::vector<TrackRow> truth = {placed(1, 1, 0), placed(2, 1, 0), placed(3, 1, 0)};
  const std::vector<TrackRow> given = {placed(1, 1, 0.2), placed(3, 1, 0), placed(3, 2, 9)};
  const auto metrics = evaluate_tracks(truth, given, {TrackSpace::world, 0.5});
  ASSERT_TRUE(metrics);
  EXPECT_EQ(metrics->sets.cutoff_m, 0.5) << "the threshold";
  EXPECT_NEAR(metrics->sets.ospa_m, (0.2 + 0.5 + 0.25) / 3, 1e-12);
  EXPECT_NEAR(metrics->sets.gospa_m, (0.2 + 0.25 + 0.25) / 3, 1e-12);
  EXPECT_NEAR(metrics->sets.localisation, 0.2 / 3, 1e-12);
  EXPECT_NEAR(metrics->sets.missed, 0.25 / 3, 1e-12);
  EXPECT_NEAR(metrics->sets.false_found, 0.25 / 3, 1e-12);
  EvaluationOptions wide{TrackSpace::world, 0.5};
  wide.cutoff_m = 2, wide.order = 2;
  EXPECT_NEAR(evaluate_tracks(truth, given, wide)->sets.ospa_m, (0.2 + 2 + std::sqrt(2.0)) / 3, 1e-12);
}

TEST(SetDistance, WrongOptionsAreNamed) {
  EvaluationOptions wrong{TrackSpace::world, 0.5};
  wrong.order = 0.5;
  EXPECT_FALSE(evaluate_tracks({}, {}, wrong));
  wrong.order = 1, wrong.cutoff_m = -1;
  EXPECT_NE(evaluate_tracks({}, {}, wrong).error().message().find("cut-off"), std::string::npos);
}

}  // namespace
}  // namespace vantage
