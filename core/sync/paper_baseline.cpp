// The likelihood as published, in the log domain.
#include <algorithm>
#include <cmath>

#include "core/sync/detail/pair.h"

namespace vantage::sync_detail {
namespace {

constexpr double kQuietPoints = 0.5;

// Lines on which something happens in both cameras.
std::vector<int> active_lines(const PairSignals& signals) {
  const auto varies = [](const LineSignals& s, int r) {
    double sum = 0, squares = 0, count = 0;
    for (int64_t t = 0; t < s.frames(); ++t) {
      if (!s.valid[t]) continue;
      const double value = s.frame(t)[r];
      sum += value, squares += value * value, ++count;
    }
    return count > 0 && squares / count - sum * sum / (count * count) > kQuietPoints * kQuietPoints;
  };
  std::vector<int> lines;
  for (int r = 0; r < signals.a.lines; ++r)
    if (varies(signals.a, r) && varies(signals.b, r)) lines.push_back(r);
  return lines;
}

// Sum of squared differences over frames [begin, end) of the first camera.
double distance(const PairSignals& signals, const std::vector<int>& lines, int64_t begin, int64_t end,
                int lag) {
  double sum = 0;
  for (int64_t t = begin; t < end; ++t) {
    if (!signals.a.valid[t] || !signals.b.valid[t + lag]) continue;
    const float *a = signals.a.frame(t), *b = signals.b.frame(t + lag);
    for (const int r : lines) sum += (static_cast<double>(a[r]) - b[r]) * (static_cast<double>(a[r]) - b[r]);
  }
  return sum;
}

// Scaled to a sum of 1, as logarithms.
void normalise(std::vector<double>* log_values) {
  const double top = *std::max_element(log_values->begin(), log_values->end());
  double sum = 0;
  for (const double value : *log_values) sum += std::exp(value - top);
  for (double& value : *log_values) value -= top + std::log(sum);
}

}  // namespace

PairEstimate published_pair(const PairSignals& signals, const SyncParameters& parameters) {
  // The share that an adaptive prior leaves to every lag, so that it can change its mind.
  constexpr double kFloor = 1e-6;
  PairEstimate estimate;
  estimate.first = signals.first, estimate.second = signals.second;
  estimate.reason = signals.impossible;
  if (!estimate.reason.empty()) return estimate;
  const int lags = signals.highest_lag - signals.lowest_lag + 1;
  // Frames of the first camera that have a partner at every lag: the same number of terms for each.
  const int64_t begin = std::max<int64_t>(0, -signals.lowest_lag);
  const int64_t end = std::min(signals.a.frames(), signals.b.frames() - signals.highest_lag);
  if (end - begin < 2) {
    estimate.reason = "the recordings are too short for so large an offset";
    return estimate;
  }
  const std::vector<int> lines = active_lines(signals);
  estimate.active_lines = static_cast<int>(lines.size());
  if (lines.empty()) {
    estimate.reason = "the scene is too quiet: nothing happens on any line";
    return estimate;
  }
  std::vector<double> posterior(static_cast<size_t>(lags), -std::log(lags));
  for (int64_t at = begin; at < end; at += parameters.window_frames) {
    const int64_t stop = std::min<int64_t>(end, at + parameters.window_frames);
    if (at > begin && stop - at < parameters.window_frames) break;  // a rest
    for (int i = 0; i < lags; ++i) {
      double& value = posterior[i];
      const double prior = parameters.adaptive_prior ? std::log(std::exp(value) + kFloor)
                                                     : -std::log(static_cast<double>(lags));
      value = prior - distance(signals, lines, at, stop, signals.lowest_lag + i) /
                          (2 * parameters.sigma * parameters.sigma);
    }
    estimate.effective_samples = static_cast<double>(stop - at) * static_cast<double>(lines.size());
    estimate.curve.assign(posterior.begin(), posterior.end());
    normalise(&posterior);
  }
  const auto top = std::max_element(posterior.begin(), posterior.end());
  const int peak = static_cast<int>(top - posterior.begin());
  estimate.curve_lag = signals.lowest_lag;
  estimate.score = std::exp(*top);
  estimate.peak = std::exp(*top);
  for (int i = 0; i < lags; ++i)
    if (i != peak) estimate.second_peak = std::max(estimate.second_peak, std::exp(posterior[i]));
  estimate.width_frames = 1;
  estimate.sigma_frames = 0.29;  // a whole frame is all it can tell
  if (estimate.score < parameters.min_confidence)
    estimate.reason = "no lag is likely enough";
  else
    estimate.offset_frames = signals.lowest_lag + peak;
  return estimate;
}

}  // namespace vantage::sync_detail
