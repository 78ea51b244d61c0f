#include "core/base/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace vantage {
namespace {

double best_by_permutation(const ScoreMatrix& s) {
  const bool wide = s.rows <= s.columns;
  const int few = std::min(s.rows, s.columns), many = std::max(s.rows, s.columns);
  std::vector<int> order(static_cast<size_t>(many));
  std::iota(order.begin(), order.end(), 0);
  double best = -1e300;
  do {
    double sum = 0;
    for (int i = 0; i < few; ++i) {
      const int j = order[i];
      sum += wide ? s.at(i, j) : s.at(j, i);
    }
    best = std::max(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Assignment, EqualsTheBestPermutation) {
  constexpr unsigned kSeed = 7;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (int trial = 0; trial < 300; ++trial) {
    ScoreMatrix s(1 + static_cast<int>(random() % 6), 1 + static_cast<int>(random() % 6));
    // Few distinct values, so that ties and negative scores are common.
    for (double& v : s.values) v = static_cast<double>(random() % 7) - 3;
    const std::vector<int> match = assign_maximum(s);
    double sum = 0;
    std::vector<int> used;
    for (int i = 0; i < s.rows; ++i)
      if (match[i] >= 0) sum += s.at(i, match[i]), used.push_back(match[i]);
    EXPECT_EQ(static_cast<int>(used.size()), std::min(s.rows, s.columns));
    std::sort(used.begin(), used.end());
    EXPECT_EQ(std::adjacent_find(used.begin(), used.end()), used.end());
    EXPECT_NEAR(sum, best_by_permutation(s), 1e-12) << "trial " << trial;
  }
}

TEST(Assignment, EmptySidesMatchNothing) {
  EXPECT_TRUE(assign_maximum(ScoreMatrix(0, 3)).empty());
  EXPECT_EQ(assign_maximum(ScoreMatrix(2, 0)), (std::vector<int>{-1, -1}));
}

}  // namespace
}  // namespace vantage
