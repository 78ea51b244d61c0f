// Confidence intervals of a figure measured over a stretch of time, by the block bootstrap. Successive frames
// are not independent, so whole blocks of them are drawn again: with replacement, as many as the stretch has
// (H. R. Kuensch, "The Jackknife and the Bootstrap for General Stationary Observations", Annals of Statistics
// 17(3), 1989; with the ends joined, D. N. Politis, J. P. Romano, "A Circular Block-Resampling Procedure for
// Stationary Data", 1992).
//
// The blocks' length follows from the figure itself: from how long its steps' jackknife influences stay
// correlated, by D. N. Politis, H. White, "Automatic Block-Length Selection for the Dependent Bootstrap",
// Econometric Reviews 23(1), 2004, corrected by A. Patton, D. N. Politis, H. White, 28(4), 2009. The interval
// is the percentile interval, wider by Student's t for as many blocks as fit into the stretch (T. C.
// Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69(4), 2015).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vantage {

// Contributions of each step in time to the sums that a figure is made of: row-major, `width` numbers a step.
struct StepTerms {
  size_t width = 0;
  std::vector<double> values = {};
  size_t steps() const { return width > 0 ? values.size() / width : 0; }
};
// A figure of the sums; NaN: unknown.
using FigureOfSums = std::function<double(std::span<const double> sums)>;

struct BootstrapOptions {
  double confidence = 0.95;
  int samples = 2000;
  uint32_t seed = 1;  // the same input and seed give the same bytes
  int64_t block = 0;  // steps; 0: by the rule above
};

// Fewer blocks do not show how they vary, and fewer steps not how long they stay correlated.
inline constexpr int64_t kMinBootstrapBlocks = 10, kMinBootstrapSteps = 50;

struct FigureInterval {
  double value = 0;              // value over all steps; NaN: unknown
  double from = 0, to = 0;       // NaN: unknown
  int64_t block = 0;             // steps
  std::string why_unknown = {};  // a sentence's end: "300 steps are too few …"; empty: it is known
  bool known() const { return why_unknown.empty(); }
};

// Unknown of fewer than kMinBootstrapSteps steps unless their block is given, where fewer than
// kMinBootstrapBlocks blocks fit, where the steps stay correlated over more than a
// tenth of the stretch, or the figure itself is unknown in one of twenty samples.
FigureInterval bootstrap_interval(const StepTerms& terms, const FigureOfSums& figure,
                                  const BootstrapOptions& options = {});

// The spread of measured values.

struct Spread {
  double mean = 0, deviation = 0, p50 = 0, p95 = 0, p99 = 0, max = 0;
};
Spread spread_of(std::vector<double> values);

// The middle of values that lie symmetrically around it, few of them far off, after Hodges and Lehmann
// (1963): the median of the means of all pairs of values, each with itself as well. With a confidence of 95 %
// or a little more it lies in the interval (Wilcoxon's signed ranks, by their own distribution); of fewer
// than six values that is all of their range, with less. At least one value.
struct Middle {
  double estimate = 0, from = 0, to = 0;
};
Middle middle_of(const std::vector<double>& values);

}  // namespace vantage
