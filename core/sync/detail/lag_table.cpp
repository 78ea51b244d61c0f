#include "core/sync/detail/lag_table.h"

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
  vectors.energy.resize(static_cast<size_t>(signals.frames()));
  float* out = vectors.values.data();
  for (int64_t t = 0; t < signals.frames(); ++t) {
    const float* in = values.data() + t * signals.lines;
    double energy = 0;
    for (size_t k = 0; k < active.size(); ++k) {
      const auto value = static_cast<float>(in[active[k]] * factors[k]);
      *out++ = value;
      energy += static_cast<double>(value) * value;
    }
    vectors.energy[static_cast<size_t>(t)] = static_cast<float>(energy);
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
      if (!signals.valid[static_cast<size_t>(t)]) continue;
      const auto from = static_cast<size_t>(std::max<int64_t>(0, t - half));
      const auto to = static_cast<size_t>(std::min(frames, t + half + 1));
      const double mean = (sum[to] - sum[from]) / (count[to] - count[from]);
      const double value = present(t, r) - mean;
      (*values)[static_cast<size_t>(t * signals.lines + r)] = static_cast<float>(value);
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
    const double da = deviation_a[static_cast<size_t>(r)], db = deviation_b[static_cast<size_t>(r)];
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
      if (!signals.a.valid[static_cast<size_t>(t)]) continue;
      const int64_t from = std::max<int64_t>(0, t + table.lowest_lag);
      const int64_t to = std::min(table.frames_b, t + table.lowest_lag + table.lags);
      for (int64_t u = from; u < to; ++u) {
        if (!signals.b.valid[static_cast<size_t>(u)]) continue;
        LagSums& sums = out[u - t - table.lowest_lag];
        sums.product += dot(x.frame(t), y.frame(u), x.size);
        sums.energy_a += x.energy[static_cast<size_t>(t)];
        sums.energy_b += y.energy[static_cast<size_t>(u)];
        sums.frames += 1;
      }
    }
  });
  return table;
}

}  // namespace vantage::sync_detail
