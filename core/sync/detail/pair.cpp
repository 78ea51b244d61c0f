#include "core/sync/detail/pair.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace vantage::sync_detail {
namespace {

// Only the active lines, weighted; frame after frame.
struct Vectors {
  int size = 0;
  std::vector<float> values;
  std::vector<float> energy;  // of each frame
  const float* frame(int64_t t) const { return values.data() + t * size; }
};

Vectors weigh(const std::vector<float>& values, const LineSignals& signals, const std::vector<int>& active,
              const std::vector<double>& factors) {
  Vectors vectors;
  vectors.size = static_cast<int>(active.size());
  vectors.values.resize(static_cast<size_t>(signals.frames()) * active.size());
  vectors.energy.resize(signals.frames());
  float* out = vectors.values.data();
  for (int64_t t = 0; t < signals.frames(); ++t) {
    const float* in = values.data() + t * signals.lines;
    double energy = 0;
    for (size_t k = 0; k < active.size(); ++k) {
      const auto value = static_cast<float>(in[active[k]] * factors[k]);
      *out++ = value;
      energy += static_cast<double>(value) * value;
    }
    vectors.energy[t] = static_cast<float>(energy);
  }
  return vectors;
}

float dot(const float* a, const float* b, int size) {
  float partial[8] = {};
  int k = 0;
  for (; k + 8 <= size; k += 8)
    for (int lane = 0; lane < 8; ++lane) partial[lane] += a[k + lane] * b[k + lane];
  float sum = 0;
  for (; k < size; ++k) sum += a[k] * b[k];
  for (const float p : partial) sum += p;
  return sum;
}

// Standard deviation of each line over the valid frames, its trend taken out; the values without the trend.
std::vector<double> take_out_trend(const LineSignals& signals, const LagTableOptions& options,
                                   std::vector<float>* values) {
  const int64_t frames = signals.frames();
  values->assign(signals.values.size(), 0.0f);
  std::vector<double> deviations;
  std::vector<double> sum(static_cast<size_t>(frames) + 1), count(static_cast<size_t>(frames) + 1);
  const auto present = [&](int64_t t, int r) {
    const double s = signals.frame(t)[r];
    return options.presence > 0 ? s / (s + options.presence) : s;
  };
  const int64_t half = std::max(1, options.trend_frames / 2);
  for (int r = 0; r < signals.lines; ++r) {
    for (int64_t t = 0; t < frames; ++t) {
      const auto i = static_cast<size_t>(t);
      const bool valid = signals.valid[i] != 0;
      sum[i + 1] = sum[i] + (valid ? present(t, r) : 0.0);
      count[i + 1] = count[i] + (valid ? 1 : 0);
    }
    double squares = 0;
    for (int64_t t = 0; t < frames; ++t) {
      if (!signals.valid[t]) continue;
      const auto from = static_cast<size_t>(std::max<int64_t>(0, t - half));
      const auto to = static_cast<size_t>(std::min(frames, t + half + 1));
      const double mean = (sum[to] - sum[from]) / (count[to] - count[from]);
      const double value = present(t, r) - mean;
      (*values)[t * signals.lines + r] = static_cast<float>(value);
      squares += value * value;
    }
    const double total = count.back();
    deviations.push_back(total > 0 ? std::sqrt(squares / total) : 0.0);
  }
  return deviations;
}

}  // namespace

LagSums& LagSums::operator+=(const LagSums& other) {
  product += other.product, energy_a += other.energy_a, energy_b += other.energy_b, frames += other.frames;
  return *this;
}

double LagSums::correlation() const {
  const double scale = std::sqrt(static_cast<double>(energy_a) * energy_b);
  return scale > 0 ? product / scale : 0.0;
}

LagTable make_lag_table(const PairSignals& signals, const LagTableOptions& options) {
  const int block_frames = options.block_frames;
  LagTable table;
  table.block_frames = block_frames;
  table.frames_a = signals.a.frames(), table.frames_b = signals.b.frames();
  table.lowest_lag = std::max(signals.lowest_lag, -static_cast<int>(table.frames_a) + 1);
  const int highest = std::min(signals.highest_lag, static_cast<int>(table.frames_b) - 1);
  table.lags = std::max(0, highest - table.lowest_lag + 1);
  std::vector<float> values_a, values_b;
  const std::vector<double> deviation_a = take_out_trend(signals.a, options, &values_a);
  const std::vector<double> deviation_b = take_out_trend(signals.b, options, &values_b);
  std::vector<int> active;
  std::vector<double> factor_a, factor_b;
  for (int r = 0; r < signals.a.lines; ++r) {
    const double da = deviation_a[r], db = deviation_b[r];
    if (da <= options.quiet_level || db <= options.quiet_level) continue;
    active.push_back(r);
    // The weight is da db; z-scores times its root.
    factor_a.push_back(std::sqrt(db / da));
    factor_b.push_back(std::sqrt(da / db));
  }
  table.active_lines = static_cast<int>(active.size());
  if (active.empty() || table.lags == 0) return table;
  const Vectors x = weigh(values_a, signals.a, active, factor_a);
  const Vectors y = weigh(values_b, signals.b, active, factor_b);
  table.blocks = static_cast<int>((table.frames_a + block_frames - 1) / block_frames);
  table.sums.resize(static_cast<size_t>(table.blocks) * static_cast<size_t>(table.lags));
  tbb::parallel_for(0, table.blocks, [&](int block) {
    LagSums* const out = table.sums.data() + static_cast<size_t>(block) * static_cast<size_t>(table.lags);
    const int64_t begin = static_cast<int64_t>(block) * block_frames;
    const int64_t end = std::min(begin + block_frames, table.frames_a);
    for (int64_t t = begin; t < end; ++t) {
      if (!signals.a.valid[t]) continue;
      const int64_t from = std::max<int64_t>(0, t + table.lowest_lag);
      const int64_t to = std::min(table.frames_b, t + table.lowest_lag + table.lags);
      for (int64_t u = from; u < to; ++u) {
        if (!signals.b.valid[u]) continue;
        LagSums& sums = out[u - t - table.lowest_lag];
        sums.product += dot(x.frame(t), y.frame(u), x.size);
        sums.energy_a += x.energy[t];
        sums.energy_b += y.energy[u];
        sums.frames += 1;
      }
    }
  });
  return table;
}

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
  curve.sums.resize(table.lags);
  for (int block = 0; block < table.blocks; ++block) {
    const int shift = path[block] - reference;
    for (int i = 0; i < table.lags; ++i)
      if (const int lag = table.lowest_lag + i + shift; table.has(lag)) curve.sums[i] += table.at(block, lag);
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
    const double value = std::clamp(rho[i], 0.0, 0.9999);
    return -std::log1p(-value * value) * curve->sums[i].frames;
  };
  for (int i = 0; i < count; ++i)
    if (rho[i] > 0 && (curve->peak < 0 || order(i) > order(curve->peak))) curve->peak = i;
  if (curve->peak < 0) return;
  // The likelihood leans towards more overlap: the top itself is the correlation's.
  while (curve->peak + 1 < count && rho[curve->peak + 1] > rho[curve->peak]) ++curve->peak;
  while (curve->peak > 0 && rho[curve->peak - 1] > rho[curve->peak]) --curve->peak;
  const double half = rho[curve->peak] / 2;
  curve->left = curve->right = curve->peak;
  while (curve->left > 0 && rho[curve->left] > half) --curve->left;
  while (curve->right + 1 < count && rho[curve->right] > half) ++curve->right;
  const int width = std::max(2, curve->right - curve->left);
  double variance = 0;
  int outside = 0;
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<size_t>(i);
    if (std::abs(i - curve->peak) <= width || curve->sums[k].frames < min_frames) continue;
    variance += rho[k] * rho[k] * curve->sums[k].frames;
    ++outside;
    if (curve->second < 0 || rho[k] > rho[curve->second]) curve->second = i;
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
  const double min = 0.1 * rho[curve.peak];
  int left = curve.left, right = curve.right;
  while (left > 0 && rho[left - 1] > min && rho[left - 1] < rho[left]) --left;
  while (right + 1 < static_cast<int>(rho.size()) && rho[right + 1] > min && rho[right + 1] < rho[right])
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
        if (other < 0 || other >= lags || before[other] - cost <= value) return;
        value = before[other] - cost, source = other;
      };
      if (block > 0) offer(i - 1, kStepCost), offer(i + 1, kStepCost), offer(best, change_cost(i - best));
      from[static_cast<size_t>(block) * static_cast<size_t>(lags) + k] = static_cast<int16_t>(source);
      now[k] = value + model(table.at(block, table.lowest_lag + i));
    }
  }
  PairPath path;
  path.lags.resize(table.blocks);
  int i = static_cast<int>(std::max_element(now.begin(), now.end()) - now.begin());
  for (int block = table.blocks - 1; block >= 0; --block) {
    path.lags[block] = table.lowest_lag + i;
    const int source = from[static_cast<size_t>(block) * static_cast<size_t>(lags) + static_cast<size_t>(i)];
    if (source != i) path.cost += change_cost(source - i);
    i = source;
  }
  return path;
}

void describe(const Curve& curve, PairEstimate* estimate) {
  const auto peak = static_cast<size_t>(curve.peak);
  estimate->peak = curve.correlation[peak];
  estimate->second_peak = curve.second >= 0 ? curve.correlation[curve.second] : 0.0;
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
    estimate.reason = fmt::format("the peak {:.2f} is too broad, or at the border of the lags searched ({})",
                                  estimate.peak, curve.lowest_lag + curve.peak);
  else
    estimate.reason =
        fmt::format("no clear peak: {:.2f} against {:.2f} elsewhere", estimate.peak, estimate.second_peak);
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
    const int at = path[block];
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
    estimate.reason = fmt::format("the scene is too quiet: there is activity on {} of {} lines",
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
