// Figures of results as a plot: over time, how often each value occurs, or one against another.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/display/plot.h"
#include "core/results/result_scalars.h"

namespace vantage {

enum class ScalarPlotKind : uint8_t { time, histogram, scatter };
inline constexpr std::array<ScalarPlotKind, 3> kScalarPlotKinds = {
    ScalarPlotKind::time, ScalarPlotKind::histogram, ScalarPlotKind::scatter};
std::string_view scalar_plot_name(ScalarPlotKind kind);  // "time"

inline constexpr int kMaxBins = 1000;

// `bins`: of a histogram; 0: by the number of values (its square root, at most 60). A scatter plot shows the
// second series over the first. Errors: invalid_argument for a scatter plot of another number of series than
// two, and where no value is known.
struct ScalarPlot {
  Plot plot;
  // A line a frame with every series; of a histogram one for each series and bin.
  std::string csv;
};
Result<ScalarPlot> scalar_plot(const ResultScalars& scalars, ScalarPlotKind kind, int bins = 0);

// By the file's ending: .csv the values, else as write_plot().
Status write_scalar_plot(const ScalarPlot& plot, const std::filesystem::path& file);

}  // namespace vantage
