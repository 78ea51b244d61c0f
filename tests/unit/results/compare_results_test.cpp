// Results of two runs compared: against every pairing tried, and as the frames of two folders.
#include "core/results/compare_results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "tests/support/seed.h"

namespace vantage {
namespace {

FloorPerson person_at(double x_m, double y_m, int64_t id) {
  FloorPerson person;
  person.id = id, person.x_m = x_m, person.y_m = y_m, person.height_m = 1.7;
  return person;
}

// The smallest sum of what pairs are short of the reach, over all ways to pair.
double best_score(const std::vector<FloorPerson>& first, std::vector<FloorPerson> second, double reach_m) {
  while (second.size() < first.size()) second.push_back(person_at(1e6, 1e6, 0));
  std::vector<size_t> order(second.size());
  std::iota(order.begin(), order.end(), size_t{0});
  double best = 0;
  do {
    double score = 0;
    for (size_t i = 0; i < first.size(); ++i) {
      const FloorPerson& other = second[order[i]];
      score += std::max(0.0, reach_m - std::hypot(first[i].x_m - other.x_m, first[i].y_m - other.y_m));
    }
    best = std::max(best, score);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(CompareResults, PairsAreTheBestOfAll) {
  const uint32_t seed = test::test_seed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, 2.5);
  const CompareResultsOptions options;
  for (int round = 0; round < 200; ++round) {
    std::vector<FloorPerson> first(random() % 6), second(random() % 6);
    for (size_t i = 0; i < first.size(); ++i) first[i] = person_at(place(random), place(random), int64_t(i));
    for (size_t i = 0; i < second.size(); ++i)
      second[i] = person_at(place(random), place(random), int64_t(i));
    const std::vector<PersonOfTwo> people = compare_people(first, second, options);
    size_t of_first = 0, of_second = 0;
    double score = 0;
    bool before_differs = true;
    for (const PersonOfTwo& one : people) {
      of_first += one.first.has_value(), of_second += one.second.has_value();
      EXPECT_TRUE(one.first || one.second);
      EXPECT_TRUE(before_differs || !one.differs) << "those that differ come first";
      before_differs = one.differs;
      if (!one.first || !one.second) {
        EXPECT_TRUE(one.differs);
        continue;
      }
      EXPECT_NEAR(one.apart_m, std::hypot(one.first->x_m - one.second->x_m, one.first->y_m - one.second->y_m),
                  1e-12);
      EXPECT_LT(one.apart_m, options.reach_m);
      EXPECT_EQ(one.differs, one.apart_m > options.beyond_m);
      score += options.reach_m - one.apart_m;
    }
    EXPECT_EQ(of_first, first.size());
    EXPECT_EQ(of_second, second.size());
    EXPECT_NEAR(score,
                best_score(first.size() <= second.size() ? first : second,
                           first.size() <= second.size() ? second : first, options.reach_m),
                1e-9);
  }
}

TEST(CompareResults, TheNextDifferenceIsBehindTheFrameOrTheFirst) {
  ResultsComparison compared;
  EXPECT_FALSE(compared.next_difference(3));
  PersonOfTwo same{person_at(0, 0, 1), person_at(0, 0, 1), 0, false};
  PersonOfTwo alone{person_at(0, 0, 1), std::nullopt, 0, true};
  compared.people = {{1, {same}}, {4, {alone, same}}, {6, {same}}, {9, {alone}}};
  EXPECT_EQ(compared.next_difference(-1), 4);
  EXPECT_EQ(compared.next_difference(4), 9);
  EXPECT_EQ(compared.next_difference(9), 4);
  compared.people.erase(4);
  EXPECT_EQ(compared.next_difference(9), 9) << "the only one again";
  compared.people.erase(9);
  EXPECT_FALSE(compared.next_difference(0));
}

}  // namespace
}  // namespace vantage
