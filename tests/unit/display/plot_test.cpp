#include "core/display/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "core/base/formatted.h"

namespace vantage {
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

TEST(Plot, MarksStandAtTheirPositions) {
  Plot plot{"t", "x", "", false, false, false, {}};
  plot.series = {{"s", {{0, 5}, {10, 6}}}};
  plot.marks = {{5, "used & kept"}};
  plot.y_from_zero = false;
  const std::string svg = plot_svg(plot);
  const auto line = lines_of(svg).front();
  const std::string at = formatted("x1='%.1f'", (line[0].first + line[1].first) / 2);
  EXPECT_NE(svg.find("<line class='mark' " + at), std::string::npos) << svg;
  EXPECT_NE(svg.find("used &amp; kept"), std::string::npos);
  // The axis begins near the least value, so that the line crosses most of the plot.
  EXPECT_GT(line[0].second - line[1].second, 200);
}

TEST(Plot, LongNamesHaveRoom) {
  Plot plot{"t", "x", "", false, false, false, {}};
  plot.series = {{std::string(80, 'm'), {{0, 5}, {10, 6}}}};
  std::smatch width;
  const std::string svg = plot_svg(plot);
  ASSERT_TRUE(std::regex_search(svg, width, std::regex("<svg[^>]* width='([0-9.]+)'")));
  EXPECT_GT(std::stod(width[1]), 1000);
}

}  // namespace
}  // namespace vantage
