// Plots of figures: every value counts once, unknown ones nowhere.
#include "core/export/figure/scalar_plot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

ResultScalars two_figures() {
  ResultScalars scalars;
  scalars.frame_rate = 10;
  scalars.frames = {5, 6, 7, 8};
  scalars.series = {{"litres", "l", {10, 20, NAN, 30}}, {"people", "", {1, 2, 3, 3}}};
  return scalars;
}

TEST(ScalarPlot, OverTimeWithGaps) {
  const auto made = scalar_plot(two_figures(), ScalarPlotKind::time);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->plot.series.size(), 2u);
  EXPECT_EQ(made->plot.series[0].name, "litres (l)");
  EXPECT_NEAR(made->plot.series[0].points[1].x, 0.6, 1e-12);
  EXPECT_EQ(made->plot.y_label, "") << "different units";
  EXPECT_EQ(made->csv, "frame,time_s,litres,people\n5,0.5,10,1\n6,0.6,20,2\n7,0.7,,3\n8,0.8,30,3\n");
}

TEST(ScalarPlot, AHistogramCountsEveryKnownValueOnce) {
  ResultScalars scalars = two_figures();
  scalars.series.erase(scalars.series.begin());
  const auto made = scalar_plot(scalars, ScalarPlotKind::histogram, 4);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->csv,
            "series,from,to,frames\npeople,1,1.5,1\npeople,1.5,2,0\npeople,2,2.5,1\npeople,2.5,3,2\n");
  EXPECT_EQ(made->plot.series[0].points.size(), 10u);
  EXPECT_EQ(made->plot.series[0].points.front().y, 0);
  scalars.series[0].values = {7, 7, 7, NAN};
  EXPECT_EQ(scalar_plot(scalars, ScalarPlotKind::histogram, 1)->csv,
            "series,from,to,frames\npeople,6.5,7.5,3\n");
}

TEST(ScalarPlot, BinsAreThoseOfTheHistogram) {
  const ResultScalars scalars = two_figures();
  const ScalarBins bins = scalar_bins(scalars, 3);
  EXPECT_EQ(bins.count(), 3);
  EXPECT_EQ(bins.low, 1);
  EXPECT_EQ(bins.high, 30);
  EXPECT_EQ(bins.counts, (std::vector<std::vector<int64_t>>{{1, 1, 1}, {4, 0, 0}}));
  EXPECT_EQ(bins.bin_of(30), 2) << "the last has its upper end";
  EXPECT_EQ(bins.to(2), 30);
  ResultScalars none = scalars;
  for (ScalarSeries& series : none.series) series.values.assign(4, NAN);
  EXPECT_EQ(scalar_bins(none).count(), 0);
}

TEST(ScalarPlot, AScatterPlotHasTheFramesOfBoth) {
  const auto made = scalar_plot(two_figures(), ScalarPlotKind::scatter);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->plot.series[0].points.size(), 3u);
  EXPECT_EQ(made->plot.series[0].points[2].x, 30);
  EXPECT_EQ(made->plot.series[0].points[2].y, 3);
  EXPECT_EQ(made->plot.series[0].name, "3 frames, r = 1.00");
  EXPECT_FALSE(made->plot.lines);
  ResultScalars one = two_figures();
  one.series.pop_back();
  EXPECT_FALSE(scalar_plot(one, ScalarPlotKind::scatter));
  one.series[0].values = std::vector<double>(4, NAN);
  EXPECT_FALSE(scalar_plot(one, ScalarPlotKind::time));
}

TEST(ScalarPlot, FilesByTheirEnding) {
  const test::TemporaryFolder folder;
  const ScalarPlot plot = scalar_plot(two_figures(), ScalarPlotKind::time).value();
  for (const char* name : {"p.csv", "p.svg", "p.pdf", "p.png"})
    EXPECT_TRUE(write_scalar_plot(plot, folder.path() / name)) << name;
  EXPECT_EQ(read_file(folder.path() / "p.csv").value(), plot.csv);
  EXPECT_EQ(read_file(folder.path() / "p.svg").value(), plot_svg(plot.plot));
  EXPECT_FALSE(write_scalar_plot(plot, folder.path() / "p.gif"));
}

}  // namespace
}  // namespace vantage
