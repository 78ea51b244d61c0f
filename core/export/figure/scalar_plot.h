// Figures of results as a plot: over time, how often each value occurs, or one against another.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/display/plot.h"
#include "core/results/result_scalars.h"

namespace vantage {

enum class ScalarPlotKind : uint8_t { time, histogram, scatter };
inline constexpr std::array<ScalarPlotKind, 3> kScalarPlotKinds = {
    ScalarPlotKind::time, ScalarPlotKind::histogram, ScalarPlotKind::scatter};
std::string_view scalar_plot_name(ScalarPlotKind kind);  // "time"

inline constexpr int kMaxBins = 1000;

std::string scalar_label(const ScalarSeries& series);  // "litres (l)"
// "people, litres over time", "litres over people".
std::string scalar_title(const std::vector<ScalarSeries>& all, ScalarPlotKind kind);

// How often values occur: bins of one width over the known values of all series, of which the last has its
// upper end, too. One value alone has a bin of width 1 around it.
struct ScalarBins {
  double low = 0, high = 1;
  std::vector<std::vector<int64_t>> counts;  // by series and bin

  int count() const { return counts.empty() ? 0 : static_cast<int>(counts.front().size()); }
  double from(int bin) const;
  double to(int bin) const;
  int bin_of(double value) const;  // of a known value of the series
};
// `bins`: as of scalar_plot(). Without a known value there is no bin.
ScalarBins scalar_bins(const ResultScalars& scalars, int bins = 0);

// How many frames have both, and Pearson's correlation where both vary: "3 frames, r = 1.00".
std::string scatter_text(const ScalarSeries& x, const ScalarSeries& y);

// `bins`: of a histogram; 0: by the number of values (its square root, at most 60). A scatter plot shows the
// second series over the first. Errors: invalid_argument for a scatter plot of another number of series than
// two, and where no value is known.
struct ScalarPlot {
  Plot plot;
  // A line a frame with every series; of a histogram one for each series and bin.
  std::string csv;
};
Result<ScalarPlot> scalar_plot(const ResultScalars& scalars, ScalarPlotKind kind, int bins = 0);

// Format by the file's ending: .csv the values, else as write_plot().
Status write_scalar_plot(const ScalarPlot& plot, const std::filesystem::path& file);

}  // namespace vantage
