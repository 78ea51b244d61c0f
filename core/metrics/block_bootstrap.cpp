#include "core/metrics/block_bootstrap.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace vantage {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
// Longer stretches are summed up to so many steps first.
constexpr size_t kMaxSteps = 1000;
constexpr double kMaxUnknownShare = 0.05;

// Sums from the first step on, twice around, so that a block is a difference.
class RunningSums {
 public:
  explicit RunningSums(const StepTerms& terms) : width_(terms.width), steps_(terms.steps()) {
    sums_.assign((2 * steps_ + 1) * width_, 0);
    for (size_t t = 0; t < 2 * steps_; ++t)
      for (size_t w = 0; w < width_; ++w)
        sums_[(t + 1) * width_ + w] = sums_[t * width_ + w] + terms.values[(t % steps_) * width_ + w];
  }
  size_t steps() const { return steps_; }
  std::vector<double> all() const { return block(0, steps_); }
  std::vector<double> block(size_t begin, size_t length) const {
    std::vector<double> sums(width_, 0);
    add(begin, length, &sums);
    return sums;
  }
  void add(size_t begin, size_t length, std::vector<double>* to) const {
    for (size_t w = 0; w < width_; ++w)
      (*to)[w] += sums_[(begin + length) * width_ + w] - sums_[begin * width_ + w];
  }

 private:
  size_t width_, steps_;
  std::vector<double> sums_;
};

// So many successive steps as one.
StepTerms joined(const StepTerms& terms, size_t together) {
  StepTerms joined_terms{terms.width, {}};
  joined_terms.values.assign((terms.steps() + together - 1) / together * terms.width, 0);
  for (size_t t = 0; t < terms.steps(); ++t)
    for (size_t w = 0; w < terms.width; ++w)
      joined_terms.values[t / together * terms.width + w] += terms.values[t * terms.width + w];
  return joined_terms;
}

// Influence of each step on the figure, around the mean.
std::vector<double> influences(const RunningSums& sums, const FigureOfSums& figure) {
  std::vector<double> values;
  double mean = 0;
  const double all = figure(sums.all());
  for (size_t t = 0; t < sums.steps(); ++t) {
    const double without = figure(sums.block(t + 1, sums.steps() - 1));
    values.push_back(std::isfinite(without) ? all - without : 0);
    mean += values.back() / static_cast<double>(sums.steps());
  }
  for (double& value : values) value -= mean;
  return values;
}

std::vector<double> autocovariances(const std::vector<double>& values, size_t lags) {
  std::vector<double> all;
  for (size_t lag = 0; lag <= lags && lag < values.size(); ++lag) {
    double sum = 0;
    for (size_t t = lag; t < values.size(); ++t) sum += values[t] * values[t - lag];
    all.push_back(sum / static_cast<double>(values.size()));
  }
  return all;
}

// The first lag behind which several in a row are no more than noise; nothing: there is none within a tenth.
std::optional<size_t> last_correlated_lag(const std::vector<double>& covariances, size_t steps) {
  const double digits = std::log10(static_cast<double>(steps));
  const double noise = 2 * std::sqrt(digits / static_cast<double>(steps));
  const size_t in_a_row = std::max<size_t>(5, static_cast<size_t>(std::ceil(std::sqrt(digits))));
  for (size_t lag = 0; lag <= steps / kMinBootstrapBlocks; ++lag) {
    bool correlated = false;
    for (size_t k = 1; k <= in_a_row && lag + k < covariances.size(); ++k)
      correlated |= std::abs(covariances[lag + k]) >= noise * covariances[0];
    if (!correlated) return lag;
  }
  return std::nullopt;
}

// Politis and White, of the circular bootstrap.
double block_length(const std::vector<double>& covariances, size_t last_lag, size_t steps) {
  if (last_lag == 0) return 1;
  const auto lags = static_cast<double>(2 * last_lag);
  double weighted = 0, density = covariances[0];
  for (size_t k = 1; k <= 2 * last_lag && k < covariances.size(); ++k) {
    const double share = static_cast<double>(k) / lags;
    const double weight = share <= 0.5 ? 1 : 2 * (1 - share);
    weighted += 2 * weight * static_cast<double>(k) * covariances[k];
    density += 2 * weight * covariances[k];
  }
  if (density <= 0) return static_cast<double>(last_lag);
  const double length =
      std::cbrt(1.5 * (weighted / density) * (weighted / density)) * std::cbrt(static_cast<double>(steps));
  return std::max(length, static_cast<double>(last_lag));
}

double normal_quantile(double share) {
  double low = -10, high = 10;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2.0)) / 2 < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Student's t by its expansion around the normal quantile (Abramowitz, Stegun 1964, 26.7.5).
double student_quantile(double share, double freedom) {
  const double z = normal_quantile(share), z2 = z * z;
  return z + z * (z2 + 1) / (4 * freedom) + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * freedom * freedom) +
         z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * freedom * freedom * freedom);
}

// Share of the sorted samples below the interval.
double tail_share(double confidence, double blocks) {
  const double t = student_quantile(0.5 + confidence / 2, blocks - 1);
  return std::erfc(std::sqrt(blocks / (blocks - 1)) * t / std::sqrt(2.0)) / 2;
}

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// The figure of each sample in which it is known, ascending. Uses the generator's own bits: a seed gives the
// same anywhere.
std::vector<double> sampled(const RunningSums& sums, const FigureOfSums& figure, size_t block,
                            const BootstrapOptions& options) {
  std::mt19937 random(options.seed);
  std::vector<double> figures;
  for (int sample = 0; sample < options.samples; ++sample) {
    std::vector<double> drawn = sums.block(0, 0);
    for (size_t steps = 0; steps < sums.steps();) {
      const auto begin = static_cast<size_t>((uint64_t{random()} * sums.steps()) >> 32);
      const size_t length = std::min(block, sums.steps() - steps);
      sums.add(begin, length, &drawn);
      steps += length;
    }
    if (const double value = figure(drawn); std::isfinite(value)) figures.push_back(value);
  }
  std::sort(figures.begin(), figures.end());
  return figures;
}

FigureInterval unknown(FigureInterval interval, std::string why) {
  interval.from = interval.to = kNoValue, interval.why_unknown = std::move(why);
  return interval;
}

}  // namespace

FigureInterval bootstrap_interval(const StepTerms& terms, const FigureOfSums& figure,
                                  const BootstrapOptions& options) {
  FigureInterval interval{.value = kNoValue, .from = kNoValue, .to = kNoValue};
  const size_t all_steps = terms.steps();
  if (all_steps == 0) return unknown(interval, "there are no frames");
  interval.value = figure(RunningSums(terms).all());
  if (!std::isfinite(interval.value)) return unknown(interval, "the figure itself is unknown");
  const size_t together = options.block > 0 ? 1 : (all_steps + kMaxSteps - 1) / kMaxSteps;
  const RunningSums sums(joined(terms, together));
  const size_t steps = sums.steps();
  if (options.block <= 0 && all_steps < static_cast<size_t>(kMinBootstrapSteps))
    return unknown(interval,
                   fmt::format("{} frames are too few: {} are needed", all_steps, kMinBootstrapSteps));
  auto block = static_cast<size_t>(options.block);
  if (options.block <= 0) {
    const auto covariances = autocovariances(influences(sums, figure), steps / 5);
    const auto last_lag = covariances[0] > 0 ? last_correlated_lag(covariances, steps) : 0;
    if (!last_lag)
      return unknown(interval,
                     fmt::format("what is wrong lasts for more than a tenth of these {} frames", all_steps));
    block =
        covariances[0] > 0 ? static_cast<size_t>(std::ceil(block_length(covariances, *last_lag, steps))) : 1;
  }
  interval.block = static_cast<int64_t>(block * together);
  const double blocks = static_cast<double>(steps) / static_cast<double>(block);
  if (blocks < kMinBootstrapBlocks)
    return unknown(interval, fmt::format("{} frames are too few: {} blocks of {} are needed", all_steps,
                                         kMinBootstrapBlocks, interval.block));
  const std::vector<double> figures = sampled(sums, figure, block, options);
  if (static_cast<double>(figures.size()) < (1 - kMaxUnknownShare) * options.samples)
    return unknown(interval, "the figure is unknown in some of the samples: too few people");
  const double tail = tail_share(options.confidence, blocks);
  interval.from = quantile(figures, tail), interval.to = quantile(figures, 1 - tail);
  return interval;
}

namespace {

// The largest sum of signed ranks of n values that is undercut or met with a probability of at most 2.5 %;
// 0 where even that is more probable.
size_t critical_rank_sum(size_t n) {
  constexpr double kOneSide = 0.025;
  // Probability of each sum when each of the first ranks is in it or not with equal chances.
  std::vector<double> probability(n * (n + 1) / 2 + 1);
  probability[0] = 1;
  for (size_t rank = 1; rank <= n; ++rank)
    for (size_t sum = probability.size(); sum-- > 0;)
      probability[sum] = (probability[sum] + (sum >= rank ? probability[sum - rank] : 0)) / 2;
  size_t critical = 0;
  for (double at_most = probability[0]; at_most + probability[critical + 1] <= kOneSide;)
    at_most += probability[++critical];
  return critical;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  Spread s;
  if (values.empty()) return s;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  for (const double v : values) s.mean += v / n;
  for (const double v : values) s.deviation += (v - s.mean) * (v - s.mean) / n;
  s.deviation = std::sqrt(s.deviation);
  const auto at = [&](double share) { return values[static_cast<size_t>(share * (n - 1))]; };
  s.p50 = at(0.5), s.p95 = at(0.95), s.p99 = at(0.99), s.max = values.back();
  return s;
}

Middle middle_of(const std::vector<double>& values) {
  std::vector<double> means;
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  std::sort(means.begin(), means.end());
  const size_t rank = critical_rank_sum(values.size()), last = means.size() - 1;
  return {(means[last / 2] + means[(last + 1) / 2]) / 2, means[rank], means[last - rank]};
}

}  // namespace vantage
