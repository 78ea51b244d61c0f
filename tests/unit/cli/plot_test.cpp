#include "app/cli/bench/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace vantage::cli {
namespace {

// Every pair of numbers of the polylines.
std::vector<std::vector<std::pair<double, double>>> lines_of(const std::string& svg) {
  std::vector<std::vector<std::pair<double, double>>> lines;
  const std::regex line("<polyline[^>]*points='([^']*)'"), point("(-?[0-9.]+),(-?[0-9.]+) ");
  for (std::sregex_iterator l(svg.begin(), svg.end(), line), end; l != end; ++l) {
    const std::string points = (*l)[1];
    auto& found = lines.emplace_back();
    for (std::sregex_iterator p(points.begin(), points.end(), point); p != std::sregex_iterator(); ++p)
      found.emplace_back(std::stod((*p)[1]), std::stod((*p)[2]));
  }
  return lines;
}

Plot two_lines(bool logarithmic) {
  Plot plot{"a < b & c", "x", "y", logarithmic, logarithmic, true, {}};
  plot.series = {{"first", {{1, 10}, {10, 100}, {100, 1000}}}, {"second", {{1, 0}, {100, 500, 400, 600}}}};
  return plot;
}

TEST(Plot, LinearAxesKeepProportions) {
  const auto lines = lines_of(plot_svg(two_lines(false)));
  ASSERT_EQ(lines.size(), 2u);
  ASSERT_EQ(lines[0].size(), 3u);
  const auto& p = lines[0];
  EXPECT_NEAR((p[1].first - p[0].first) / (p[2].first - p[0].first), 9.0 / 99.0, 1e-3);
  EXPECT_NEAR((p[1].second - p[0].second) / (p[2].second - p[0].second), 90.0 / 990.0, 1e-2);
  EXPECT_LT(p[2].second, p[0].second);  // upwards on the page
}

TEST(Plot, LogarithmicAxesSpaceDecadesEvenlyAndLeaveOutZero) {
  const auto lines = lines_of(plot_svg(two_lines(true)));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].size(), 1u);
  const auto& p = lines[0];
  EXPECT_NEAR(p[1].first - p[0].first, p[2].first - p[1].first, 0.2);
  EXPECT_NEAR(p[1].second - p[0].second, p[2].second - p[1].second, 0.2);
}

TEST(Plot, TextIsEscapedAndNothingLeavesThePage) {
  const std::string svg = plot_svg(two_lines(false));
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  for (const auto& line : lines_of(svg))
    for (const auto& [x, y] : line) {
      EXPECT_GE(x, 0);
      EXPECT_LE(x, 720);
      EXPECT_GE(y, 0);
      EXPECT_LE(y, 420);
    }
}

TEST(Plot, EmptyAndSinglePointsHaveAxes) {
  EXPECT_NE(plot_svg({}).find("</svg>"), std::string::npos);
  Plot one;
  one.log_y = true;
  one.series = {{"one", {{3, 7}}}};
  const auto lines = lines_of(plot_svg(one));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(std::isfinite(lines[0].at(0).second));
}

}  // namespace
}  // namespace vantage::cli
