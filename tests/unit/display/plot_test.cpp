#include "core/display/plot.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "core/base/file.h"
#include "core/image/image_files.h"
#include "tests/support/data.h"

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
  EXPECT_EQ(svg.find(">-0<"), std::string::npos);
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
  const std::string at = fmt::format("x1='{:.1f}'", (line[0].first + line[1].first) / 2);
  EXPECT_NE(svg.find("<line class='mark' " + at), std::string::npos) << svg;
  EXPECT_NE(svg.find("used &amp; kept"), std::string::npos);
  // The axis begins near the least value, so that the line crosses most of the plot.
  EXPECT_GT(line[0].second - line[1].second, 200);
}

TEST(Plot, UnknownValuesPartALineAndPointsAloneHaveNone) {
  Plot plot{"t", "x", "y", false, false, false, {}};
  plot.series = {{"s", {{0, 5}, {1, 6}, {2, NAN}, {3, 7}, {4, 5}, {5, 6}}}};
  const auto lines = lines_of(plot_svg(plot));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].size(), 2u);
  EXPECT_EQ(lines[1].size(), 3u);
  plot.lines = false, plot.dots = true;
  const std::string svg = plot_svg(plot);
  EXPECT_EQ(lines_of(svg).size(), 0u);
  size_t dots = 0;
  for (size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++dots;
  EXPECT_EQ(dots, 5u);
}

TEST(Plot, FilesAreOfTheStatedSizeAndKind) {
  const test::TemporaryFolder folder;
  Plot plot = two_lines(false);
  plot.width_px = 900, plot.height_px = 500;
  ASSERT_TRUE(write_plot(plot, folder.path() / "p.svg"));
  EXPECT_EQ(read_file(folder.path() / "p.svg").value(), plot_svg(plot));
  ASSERT_TRUE(write_plot(plot, folder.path() / "p.png"));
  const auto picture = read_png_gray(folder.path() / "p.png", HostPool::shared());
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width(), 900);
  EXPECT_EQ(picture->height(), 500);
  // The first line's last point is at the upper right of the axes, the ground is white.
  const ImageView<const uint8_t> pixels = picture->view<uint8_t>();
  const auto end = lines_of(plot_svg(plot))[0].back();
  EXPECT_LT(pixels.at(static_cast<int>(end.first) - 1, static_cast<int>(end.second)), 150);
  EXPECT_EQ(pixels.at(2, 2), 255);
  ASSERT_TRUE(write_plot(plot, folder.path() / "p.pdf"));
  const std::string pdf = read_file(folder.path() / "p.pdf").value();
  EXPECT_EQ(pdf.substr(0, 8), "%PDF-1.4");
  EXPECT_TRUE(std::regex_search(pdf, std::regex("/MediaBox ?\\[ ?0 0 675 375 ?\\]")))
      << "72 points an inch, 96 pixels";
  EXPECT_NE(pdf.find("/FontFile"), std::string::npos) << "the font is inside";
  ASSERT_TRUE(write_plot(plot, folder.path() / "again.pdf"));
  EXPECT_EQ(read_file(folder.path() / "again.pdf").value(), pdf);
  const Status refused = write_plot(plot, folder.path() / "p.doc");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find(".svg, .pdf or .png"), std::string::npos);
  EXPECT_FALSE(write_plot(plot, folder.path() / "nowhere" / "p.pdf"));
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
