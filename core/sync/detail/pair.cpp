#include "core/sync/detail/pair.h"

#include <algorithm>
#include <cmath>

#include "core/base/formatted.h"

namespace vantage::sync_detail {
namespace {

constexpr double kStepCost = 6, kJumpCost = 9;      // nats
constexpr double kCommonLoss = 5;                   // frames
constexpr double kMinModel = 0.3, kMaxModel = 0.9;  // r of the path's model
constexpr double kBlockLimit = 4;                   // log L of a block lies within +-this times its samples
constexpr double kMinCorrelation = 0.1;
constexpr double kMinOverlapShare = 0.33, kMinOverlap_s = 0.5;
constexpr double kMinTrends = 4;
// The sum of squares of a triangular correlation over its width at half height.
constexpr double kSamplesPerWidth = 2.0 / 3;
constexpr double kWeakPrior = 2;  // independent lags' worth of "one sample per width of the peak"

// Sums over all blocks along the path shifted by lag - reference.
struct Curve {
  int lowest_lag = 0;
  std::vector<LagSums> sums;
  std::vector<double> correlation;
  int peak = -1;            // index
  int left = 0, right = 0;  // of the peak: where it has fallen by half
  int second = -1;
  double samples_a_frame = 0;
  bool allowed(size_t i, double min_frames) const { return sums[i].frames >= min_frames; }
};

Curve sum_along(const LagTable& table, const std::vector<int>& path, int reference) {
  Curve curve;
  curve.lowest_lag = table.lowest_lag;
  curve.sums.resize(static_cast<size_t>(table.lags));
  for (int block = 0; block < table.blocks; ++block) {
    const int shift = path[static_cast<size_t>(block)] - reference;
    for (int i = 0; i < table.lags; ++i)
      if (const int lag = table.lowest_lag + i + shift; table.has(lag))
        curve.sums[static_cast<size_t>(i)] += table.at(block, lag);
  }
  return curve;
}

// Peak, its width, the second peak and the effective samples. Leaves peak = -1 when there is none.
void find_peaks(Curve* curve, double min_frames) {
  const int count = static_cast<int>(curve->sums.size());
  curve->correlation.clear();
  for (const LagSums& sums : curve->sums)
    curve->correlation.push_back(sums.frames >= min_frames ? sums.correlation() : 0.0);
  const std::vector<double>& rho = curve->correlation;
  // The likelihood's order: few frames that agree by chance must not beat many that agree.
  const auto order = [&](int i) {
    const double value = std::clamp(rho[static_cast<size_t>(i)], 0.0, 0.9999);
    return -std::log1p(-value * value) * curve->sums[static_cast<size_t>(i)].frames;
  };
  for (int i = 0; i < count; ++i)
    if (rho[static_cast<size_t>(i)] > 0 && (curve->peak < 0 || order(i) > order(curve->peak)))
      curve->peak = i;
  if (curve->peak < 0) return;
  // The likelihood leans towards more overlap: the top itself is the correlation's.
  while (curve->peak + 1 < count &&
         rho[static_cast<size_t>(curve->peak + 1)] > rho[static_cast<size_t>(curve->peak)])
    ++curve->peak;
  while (curve->peak > 0 && rho[static_cast<size_t>(curve->peak - 1)] > rho[static_cast<size_t>(curve->peak)])
    --curve->peak;
  const double half = rho[static_cast<size_t>(curve->peak)] / 2;
  curve->left = curve->right = curve->peak;
  while (curve->left > 0 && rho[static_cast<size_t>(curve->left)] > half) --curve->left;
  while (curve->right + 1 < count && rho[static_cast<size_t>(curve->right)] > half) ++curve->right;
  const int width = std::max(2, curve->right - curve->left);
  double variance = 0;
  int outside = 0;
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<size_t>(i);
    if (std::abs(i - curve->peak) <= width || curve->sums[k].frames < min_frames) continue;
    variance += rho[k] * rho[k] * curve->sums[k].frames;
    ++outside;
    if (curve->second < 0 || rho[k] > rho[static_cast<size_t>(curve->second)]) curve->second = i;
  }
  const double independent = static_cast<double>(outside) / width;
  const double mixed = (outside > 0 ? variance / width : 0.0) + kWeakPrior * kSamplesPerWidth * width;
  curve->samples_a_frame = (independent + kWeakPrior) / mixed;
}

double log_likelihood(const Curve& curve, size_t i) {
  const double rho = std::clamp(curve.correlation[i], 0.0, 0.9999);
  return -0.5 * std::log1p(-rho * rho) * curve.sums[i].frames * curve.samples_a_frame;
}

// The peak with its skirts: down to a tenth, or to where another peak begins.
std::pair<int, int> lobe_of(const Curve& curve) {
  const std::vector<double>& rho = curve.correlation;
  const double min = 0.1 * rho[static_cast<size_t>(curve.peak)];
  int left = curve.left, right = curve.right;
  while (left > 0 && rho[static_cast<size_t>(left - 1)] > min &&
         rho[static_cast<size_t>(left - 1)] < rho[static_cast<size_t>(left)])
    --left;
  while (right + 1 < static_cast<int>(rho.size()) && rho[static_cast<size_t>(right + 1)] > min &&
         rho[static_cast<size_t>(right + 1)] < rho[static_cast<size_t>(right)])
    ++right;
  return {left, right};
}

double confidence_of(const Curve& curve, double path_cost) {
  const auto [left, right] = lobe_of(curve);
  const double top = std::max(0.0, log_likelihood(curve, static_cast<size_t>(curve.peak)) - path_cost);
  double inside = 0, all = static_cast<double>(curve.sums.size()) * std::exp(-top);
  for (size_t i = 0; i < curve.sums.size(); ++i) {
    const bool own = static_cast<int>(i) >= left && static_cast<int>(i) <= right;
    const double value = std::exp(log_likelihood(curve, i) - (own ? path_cost : 0.0) - top);
    all += value;
    if (own) inside += value;
  }
  return std::min(1.0, inside / all);
}

PathModel make_model(const LagTable& table, const Curve& curve) {
  const auto peak = static_cast<size_t>(curve.peak);
  const LagSums& at_peak = curve.sums[peak];
  const double r = std::clamp(curve.correlation[peak], kMinModel, kMaxModel);
  const double energy = std::sqrt(static_cast<double>(at_peak.energy_a) * at_peak.energy_b) / at_peak.frames;
  return {curve.samples_a_frame, -0.5 * std::log1p(-r * r), 1 / (2 * energy * (1 - r * r)), r,
          kBlockLimit * table.block_frames};
}

// One of the many lags far off nearly always fits a short stretch by accident, and cameras seldom lose many
// seconds: beyond kCommonLoss the cost grows as for losses whose frequency falls with the cube of the length.
double change_cost(int frames) {
  const int length = std::abs(frames);
  if (length <= 1) return length * kStepCost;
  return kJumpCost + 3 * std::log(std::max(1.0, length / kCommonLoss));
}

PairPath find_path(const LagTable& table, const PathModel& model) {
  const int lags = table.lags;
  std::vector<double> now(static_cast<size_t>(lags)), before;
  std::vector<int16_t> from(static_cast<size_t>(table.blocks) * static_cast<size_t>(lags));
  for (int block = 0; block < table.blocks; ++block) {
    before = now;
    const int best = static_cast<int>(std::max_element(before.begin(), before.end()) - before.begin());
    for (int i = 0; i < lags; ++i) {
      const auto k = static_cast<size_t>(i);
      int source = i;
      double value = before[k];
      const auto offer = [&](int other, double cost) {
        if (other < 0 || other >= lags || before[static_cast<size_t>(other)] - cost <= value) return;
        value = before[static_cast<size_t>(other)] - cost, source = other;
      };
      if (block > 0) offer(i - 1, kStepCost), offer(i + 1, kStepCost), offer(best, change_cost(i - best));
      from[static_cast<size_t>(block) * static_cast<size_t>(lags) + k] = static_cast<int16_t>(source);
      now[k] = value + model(table.at(block, table.lowest_lag + i));
    }
  }
  PairPath path;
  path.lags.resize(static_cast<size_t>(table.blocks));
  int i = static_cast<int>(std::max_element(now.begin(), now.end()) - now.begin());
  for (int block = table.blocks - 1; block >= 0; --block) {
    path.lags[static_cast<size_t>(block)] = table.lowest_lag + i;
    const int source = from[static_cast<size_t>(block) * static_cast<size_t>(lags) + static_cast<size_t>(i)];
    if (source != i) path.cost += change_cost(source - i);
    i = source;
  }
  return path;
}

void describe(const Curve& curve, PairEstimate* estimate) {
  const auto peak = static_cast<size_t>(curve.peak);
  estimate->peak = curve.correlation[peak];
  estimate->second_peak = curve.second >= 0 ? curve.correlation[static_cast<size_t>(curve.second)] : 0.0;
  estimate->width_frames = curve.right - curve.left;
  estimate->effective_samples = curve.samples_a_frame * curve.sums[peak].frames;
  estimate->curve_lag = curve.lowest_lag;
  estimate->curve.assign(curve.correlation.begin(), curve.correlation.end());
}

LagTable table_of(const PairSignals& signals, const PairOptions& options, double shorter) {
  const int block_frames = std::max(1, static_cast<int>(std::lround(0.2 * options.frame_rate)));
  // A trend must be seen several times over to be told from the signal.
  double trend = options.trend_s * options.frame_rate;
  if (options.follow) trend = std::min(trend, shorter / kMinTrends);
  const int trend_frames = std::max(3, static_cast<int>(std::lround(trend)));
  return make_lag_table(signals, {trend_frames, block_frames, options.presence, options.quiet_level});
}

// The curve along the path that the lags take, which is found by the curve in turn.
Curve curve_along_path(const LagTable& table, const PairOptions& options, double min_frames, PairPath* path) {
  path->lags.assign(static_cast<size_t>(table.blocks), 0);
  Curve curve = sum_along(table, path->lags, 0);
  find_peaks(&curve, min_frames);
  for (int round = 0; options.follow && curve.peak >= 0 && round < 2; ++round) {
    *path = find_path(table, make_model(table, curve));
    curve = sum_along(table, path->lags, path->lags.front());
    find_peaks(&curve, min_frames);
  }
  return curve;
}

// The offset, or why there is none.
void conclude(const Curve& curve, const PairOptions& options, PairAnalysis* pair) {
  PairEstimate& estimate = pair->estimate;
  if (estimate.confidence >= options.min_confidence && pair->candidate)
    estimate.offset_frames = pair->candidate;
  else if (estimate.confidence >= options.min_confidence)
    estimate.reason = formatted("the peak %.2f is too broad, or at the border of the lags searched (%d)",
                                estimate.peak, curve.lowest_lag + curve.peak);
  else
    estimate.reason =
        formatted("no clear peak: %.2f against %.2f elsewhere", estimate.peak, estimate.second_peak);
}

}  // namespace

double PathModel::operator()(const LagSums& s) const {
  const double energies = static_cast<double>(s.energy_a) + s.energy_b;
  const double value = s.frames * constant + scale * (2 * r * s.product - r * r * energies);
  return samples_a_frame * std::clamp(value, -limit, limit);
}

Parabola fit_parabola(const double (&y)[5]) {
  Parabola parabola;
  const double slope = (2 * (y[4] - y[0]) + y[3] - y[1]) / 10;
  parabola.curvature = (2 * (y[0] + y[4]) - y[1] - y[3] - 2 * y[2]) / 7;
  if (parabola.curvature < 0) parabola.top = std::clamp(-slope / parabola.curvature, -1.0, 1.0);
  return parabola;
}

LagMeasure measure_lag(const PairAnalysis& pair, const std::vector<int>& path, int begin, int end) {
  constexpr int kReach = 4;
  LagSums sums[2 * kReach + 1];
  double lag = 0, weight = 0;
  begin = std::max(begin, 0), end = std::min(end, pair.table.blocks);
  for (int block = begin; block < end; ++block) {
    const int at = path[static_cast<size_t>(block)];
    // The same blocks, so nearly the same frames, on both sides of the top.
    if (!pair.table.has(at - kReach) || !pair.table.has(at + kReach)) continue;
    for (int d = -kReach; d <= kReach; ++d) sums[d + kReach] += pair.table.at(block, at + d);
    const LagSums& middle = pair.table.at(block, at);
    lag += static_cast<double>(middle.energy_a) * at;
    weight += middle.energy_a;
  }
  LagMeasure measure;
  if (weight <= 0) return measure;
  int top = 2;
  for (int k = 3; k < 2 * kReach - 1; ++k)
    if (sums[k].correlation() > sums[top].correlation()) top = k;
  const double at = sums[top].correlation();
  double around[5];
  for (int k = 0; k < 5; ++k) around[k] = sums[top - 2 + k].correlation();
  const Parabola parabola = fit_parabola(around);
  measure.correlation = at;
  if (at < kMinCorrelation || parabola.curvature >= 0) return measure;
  measure.beside_path = top - kReach + parabola.top;
  measure.lag = lag / weight + measure.beside_path;
  const double rho = std::min(at, 0.995);
  const double information =
      pair.samples_a_frame * sums[top].frames * rho * -parabola.curvature / (1 - rho * rho);
  measure.sigma = 1 / std::sqrt(information);
  return measure;
}

PairAnalysis analyse_pair(const PairSignals& signals, const PairOptions& options) {
  PairAnalysis pair;
  PairEstimate& estimate = pair.estimate;
  estimate.first = signals.first, estimate.second = signals.second;
  estimate.reason = signals.impossible;
  if (!estimate.reason.empty()) return pair;
  const auto shorter = static_cast<double>(std::min(signals.a.frames(), signals.b.frames()));
  pair.table = table_of(signals, options, shorter);
  const LagTable& table = pair.table;
  estimate.active_lines = table.active_lines;
  if (table.active_lines < std::min(options.min_active_lines, signals.a.lines)) {
    estimate.reason = formatted("the scene is too quiet: there is activity on %d of %d lines",
                                table.active_lines, signals.a.lines);
    return pair;
  }
  const double min_frames = std::max(kMinOverlapShare * shorter, kMinOverlap_s * options.frame_rate);
  const Curve curve = curve_along_path(table, options, min_frames, &pair.path);
  if (curve.peak < 0) {
    estimate.reason = "the recordings are too short, or nothing in them correlates";
    return pair;
  }
  // The path's own lag is the curve's peak but for rounding.
  const int reference = pair.path.lags.front(), shift = curve.lowest_lag + curve.peak - reference;
  for (int& lag : pair.path.lags) lag += shift;
  describe(curve, &estimate);
  pair.samples_a_frame = curve.samples_a_frame;
  pair.model = make_model(table, curve);
  estimate.score = estimate.confidence = confidence_of(curve, pair.path.cost);
  const LagMeasure whole = measure_lag(pair, pair.path.lags, 0, table.blocks);
  estimate.sigma_frames = whole.sigma;
  for (size_t i = 0; i < curve.sums.size(); ++i)
    pair.log_likelihood.push_back(static_cast<float>(log_likelihood(curve, i)));
  const auto [left, right] = lobe_of(curve);
  pair.lobe_begin = curve.lowest_lag + left, pair.lobe_end = curve.lowest_lag + right + 1;
  if (whole.sigma > 0) pair.candidate = pair.path.lags.front() + whole.beside_path;
  conclude(curve, options, &pair);
  return pair;
}

}  // namespace vantage::sync_detail
