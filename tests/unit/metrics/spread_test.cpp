// The middle of measured values and its interval, against small samples worked out by hand and the published
// table of Wilcoxon's signed ranks.
#include "core/metrics/block_bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage {
namespace {

TEST(Middle, IsTheMedianOfThePairsMeans) {
  EXPECT_EQ(middle_of({7}).estimate, 7);
  EXPECT_EQ(middle_of({1, 4}).estimate, 2.5) << "of 1, 2.5, 4";
  EXPECT_EQ(middle_of({9, 1, 2}).estimate, 3.5) << "of 1, 1.5, 2, 5, 5.5, 9: neither median nor mean";
  EXPECT_EQ(middle_of({0, 1, 2, 10}).estimate, 1.75) << "of 0, .5, 1, 1, 1.5, 2, 5, 5.5, 6, 10";
  EXPECT_EQ(middle_of({-3, -1, 1, 3}).estimate, 0);
}

TEST(Middle, TakesTies) {
  EXPECT_EQ(middle_of({4, 4, 4, 10}).estimate, 4) << "six means of 4, three of 7, one of 10";
  EXPECT_EQ(middle_of({4, 4, 10, 10}).estimate, 7) << "three of 4, four of 7, three of 10";
  const Middle same = middle_of(std::vector<double>(12, 2.5));
  EXPECT_EQ(same.from, 2.5);
  EXPECT_EQ(same.estimate, 2.5);
  EXPECT_EQ(same.to, 2.5);
}

TEST(Middle, OneThatIsFarOffMovesItLittle) {
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(i % 5);
  values.push_back(1e6);
  EXPECT_NEAR(middle_of(values).estimate, 2, 0.5);
}

// Critical values for 5 % on both sides together: Wilcoxon and Wilcox, Some Rapid Approximate Statistical
// Procedures (1964).
TEST(Middle, TheIntervalIsWilcoxons) {
  for (const auto& [n, critical] : {std::pair<int, size_t>{6, 0},
                                    {7, 2},
                                    {8, 3},
                                    {9, 5},
                                    {10, 8},
                                    {11, 10},
                                    {12, 13},
                                    {13, 17},
                                    {14, 21},
                                    {15, 25},
                                    {16, 29},
                                    {20, 52},
                                    {25, 89}}) {
    std::vector<double> values, means;
    for (int i = n; i-- > 0;) values.push_back(std::pow(2.0, i));  // no two pairs alike
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j) means.push_back((std::pow(2.0, i) + std::pow(2.0, j)) / 2);
    std::ranges::sort(means);
    const Middle middle = middle_of(values);
    EXPECT_EQ(middle.from, means[critical]) << n;
    EXPECT_EQ(middle.to, means[means.size() - 1 - critical]) << n;
    EXPECT_LE(middle.from, middle.estimate);
    EXPECT_LE(middle.estimate, middle.to);
  }
}

TEST(Middle, FewValuesGiveTheirRange) {
  for (int n = 1; n < 6; ++n) {
    std::vector<double> values;
    for (int i = 0; i < n; ++i) values.push_back(i);
    EXPECT_EQ(middle_of(values).from, 0) << n;
    EXPECT_EQ(middle_of(values).to, n - 1) << n;
  }
}

}  // namespace
}  // namespace vantage
