// Matches of endings with beginnings, compared with the sum over all assignments.
#include "core/tracking/paths/detail/match_odds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/support/seed.h"

namespace vantage::path_detail {
namespace {

// Adds up the weights of all assignments, one by one; `of`: of those that have each match.
void enumerate(const std::vector<Match>& matches, size_t next, double weight, std::vector<size_t>* taken,
               double* all, std::vector<double>* of) {
  if (next == matches.size()) {
    *all += weight;
    for (const size_t i : *taken) (*of)[i] += weight;
    return;
  }
  enumerate(matches, next + 1, weight, taken, all, of);
  if (std::ranges::any_of(*taken, [&](size_t i) {
        return matches[i].end == matches[next].end || matches[i].start == matches[next].start;
      }))
    return;
  taken->push_back(next);
  enumerate(matches, next + 1, weight * matches[next].odds, taken, all, of);
  taken->pop_back();
}

std::vector<double> by_enumeration(const std::vector<Match>& matches) {
  double all = 0;
  std::vector<double> of(matches.size(), 0.0);
  std::vector<size_t> taken;
  enumerate(matches, 0, 1, &taken, &all, &of);
  for (double& one : of) one /= all;
  return of;
}

std::vector<Match> random_matches(std::mt19937& random, size_t ends, size_t starts, double share) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Match> matches;
  for (size_t end = 0; end < ends; ++end)
    for (size_t start = 0; start < starts; ++start)
      if (uniform(random) < share)
        matches.push_back({7 * end + 1, 3 * start, std::pow(10, 8 * uniform(random) - 4)});
  std::ranges::shuffle(matches, random);
  return matches;
}

TEST(MatchOdds, AreThoseOfAllAssignments) {
  std::mt19937 random(test::test_seed());
  for (int trial = 0; trial < 60; ++trial) {
    const std::vector<Match> matches = random_matches(random, 1 + trial % 5, 1 + trial % 4, 0.7);
    const std::vector<double> found = match_probabilities(matches), expected = by_enumeration(matches);
    ASSERT_EQ(found.size(), matches.size());
    for (size_t i = 0; i < matches.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9) << "trial " << trial;
  }
}

// One who may be either of two is neither for sure, unless the other one is surely somebody else.
TEST(MatchOdds, OneMatchExplainsAnotherAway) {
  const std::vector<Match> alone = {{0, 0, 500}, {1, 0, 500}};
  EXPECT_NEAR(match_probabilities(alone)[0], 500.0 / 1001, 1e-12);
  const std::vector<Match> both = {{0, 0, 500}, {1, 0, 500}, {1, 1, 1e6}, {0, 1, 1e-3}};
  EXPECT_GT(match_probabilities(both)[0], 0.99);
}

// More than are enumerated: never more than the true probability.
TEST(MatchOdds, AreLowerBoundsInACrowd) {
  constexpr size_t kMany = kMaxExact + 3;
  std::vector<Match> matches;
  // A chain, each match of which excludes the next: w(n) = w(n - 1) + odds w(n - 2) is the sum over n of
  // them.
  constexpr double kOdds = 30;
  for (size_t i = 0; i < kMany; ++i) {
    matches.push_back({i, i, kOdds});
    if (i + 1 < kMany) matches.push_back({i, i + 1, kOdds});
  }
  const auto count = static_cast<int>(matches.size());
  std::vector<double> weights = {1, 1 + kOdds};
  for (int n = 2; n <= count; ++n) weights.push_back(weights[n - 1] + kOdds * weights[n - 2]);
  const auto weight = [&](int n) { return weights[std::max(n, 0)]; };
  const std::vector<double> found = match_probabilities(matches);
  for (int i = 0; i < count; ++i) {
    EXPECT_GT(found[i], 0) << i;
    EXPECT_LE(found[i], kOdds * weight(i - 1) * weight(count - i - 2) / weight(count)) << i;
  }
}

}  // namespace
}  // namespace vantage::path_detail
