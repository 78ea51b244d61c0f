#include "core/sync/motion_offsets.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/sync/detail/pair.h"

namespace vantage {
namespace {

using sync_detail::PairAnalysis;

constexpr double kCaution = 0.6, kDoubt = 6;
constexpr double kExpected[] = {0, 1.5, 3, 4.5};
constexpr size_t kKept = 3000;
constexpr int kNear = 1;             // frames: one offset
constexpr double kQuietLine = 0.02;  // of the logarithm: nothing of that colour moves
constexpr double kMinSigma = 0.29;   // frames: whole ones are told

// l(z), in nats.
double worth(double z) {
  double sum = 0;
  for (const double m : kExpected) sum += std::exp(kCaution * (m * z - m * m / 2));
  return std::log(sum / std::size(kExpected));
}

// Each line divided by the deviation of what is left without its trend; 0 where that is next to nothing.
LineSignals divided_by_deviation(const LineSignals& signals, int trend_frames) {
  LineSignals out = signals;
  const int64_t frames = signals.frames(), half = std::max(1, trend_frames / 2);
  std::vector<double> sum(static_cast<size_t>(frames) + 1), count(static_cast<size_t>(frames) + 1);
  for (int r = 0; r < signals.lines; ++r) {
    for (int64_t t = 0; t < frames; ++t) {
      const auto i = static_cast<size_t>(t);
      const bool valid = signals.valid[i] != 0;
      sum[i + 1] = sum[i] + (valid ? static_cast<double>(signals.frame(t)[r]) : 0.0);
      count[i + 1] = count[i] + (valid ? 1 : 0);
    }
    double squares = 0;
    for (int64_t t = 0; t < frames; ++t) {
      if (!signals.valid[t]) continue;
      const auto from = static_cast<size_t>(std::max<int64_t>(0, t - half));
      const auto to = static_cast<size_t>(std::min(frames, t + half + 1));
      const double value = signals.frame(t)[r] - (sum[to] - sum[from]) / (count[to] - count[from]);
      squares += value * value;
    }
    const double deviation = count.back() > 0 ? std::sqrt(squares / count.back()) : 0.0;
    const double factor = deviation > kQuietLine ? 1 / deviation : 0.0;
    for (int64_t t = 0; t < frames; ++t) {
      float& value =
          out.values[static_cast<size_t>(t) * static_cast<size_t>(signals.lines) + static_cast<size_t>(r)];
      value = static_cast<float>(value * factor);
    }
  }
  return out;
}

// The worth of every lag to a pair.
struct PairWorth {
  int first = 0, second = 0, lowest_lag = 0;
  std::vector<float> nats;
  float unknown = 0;  // to lags that cannot be compared
  float at(int lag) const {
    const int i = lag - lowest_lag;
    return i >= 0 && i < static_cast<int>(nats.size()) ? nats[i] : unknown;
  }
};

PairWorth worth_of(const PairAnalysis& pair) {
  PairWorth out{
      pair.estimate.first, pair.estimate.second, pair.estimate.curve_lag, {}, static_cast<float>(worth(0))};
  std::vector<double> z;
  double squares = 0, count = 0;
  for (size_t i = 0; i < pair.estimate.curve.size(); ++i) {
    double frames = 0;
    for (int block = 0; block < pair.table.blocks; ++block)
      frames += pair.table.at(block, pair.estimate.curve_lag + static_cast<int>(i)).frames;
    z.push_back(pair.estimate.curve[i] * std::sqrt(frames));
    squares += z.back() * z.back();
    count += z.back() != 0 ? 1 : 0;
  }
  const double deviation = count > 0 ? std::sqrt(squares / count) : 0.0;
  for (const double value : z)
    out.nats.push_back(deviation > 0 ? static_cast<float>(worth(value / deviation)) : out.unknown);
  return out;
}

// Offsets of the cameras so far, the base's 0 first, and the sum of what their pairs say.
struct Way {
  float nats = 0;
  std::vector<int> offsets;
};

class JointSearch {
 public:
  JointSearch(std::vector<PairWorth> pairs, int cameras, int base, int reach)
      : pairs_(std::move(pairs)), reach_(reach) {
    order_.push_back(base);
    for (int c = 0; c < cameras; ++c)
      if (c != base) order_.push_back(c);
    ways_.push_back({0, {0}});
    for (size_t k = 1; k < order_.size(); ++k) add_camera(k);
    best_ = *std::max_element(ways_.begin(), ways_.end(),
                              [](const Way& a, const Way& b) { return a.nats < b.nats; });
    // Everything that offsets could say: what is kept, what was not kept, and that nothing goes together.
    const double none = static_cast<double>(order_.size() - 1) * std::log(2.0 * reach_ + 1);
    for (const Way& way : ways_) all_ += share(way);
    all_ = all_ / kept_share_ + std::exp(none - best_.nats);
  }

  struct Found {
    int offset = 0;
    double confidence = 0, mean = 0, sigma = 0;
  };
  Found of(int camera) const {
    const auto k = static_cast<size_t>(std::find(order_.begin(), order_.end(), camera) - order_.begin());
    Found found{best_.offsets[k]};
    double inside = 0, sum = 0, squares = 0;
    for (const Way& way : ways_) {
      const int beside = way.offsets[k] - found.offset;
      if (std::abs(beside) > kNear) continue;
      inside += share(way), sum += beside * share(way), squares += beside * beside * share(way);
    }
    found.confidence = inside / (inside + kDoubt * std::max(0.0, all_ - inside));
    found.mean = found.offset + sum / inside;
    found.sigma =
        std::max(kMinSigma, std::sqrt(std::max(0.0, squares / inside - sum * sum / (inside * inside))));
    return found;
  }

 private:
  double share(const Way& way) const { return std::exp(static_cast<double>(way.nats) - best_.nats); }

  // The evidence of all pairs of camera `order_[k]` with those before for its offset in that way.
  void add_up(const Way& way, size_t k, std::vector<float>* nats) const {
    nats->assign(static_cast<size_t>(2 * reach_ + 1), way.nats);
    for (const PairWorth& pair : pairs_)
      for (size_t i = 0; i < k; ++i) {
        const bool forward = pair.first == order_[i] && pair.second == order_[k];
        const bool backward = pair.second == order_[i] && pair.first == order_[k];
        if (!forward && !backward) continue;
        for (int offset = -reach_; offset <= reach_; ++offset) {
          const int lag = offset - way.offsets[i];
          (*nats)[offset + reach_] += pair.at(forward ? lag : -lag);
        }
      }
  }

  void add_camera(size_t k) {
    struct Next {
      float nats;
      uint32_t way;
      int offset;
    };
    const size_t lags = static_cast<size_t>(2 * reach_ + 1);
    std::vector<Next> next(ways_.size() * lags);
    tbb::parallel_for(size_t{0}, ways_.size(), [&](size_t w) {
      std::vector<float> nats;
      add_up(ways_[w], k, &nats);
      for (size_t i = 0; i < lags; ++i)
        next[w * lags + i] = {nats[i], static_cast<uint32_t>(w), static_cast<int>(i) - reach_};
    });
    // Among equal ones the same are kept on every machine.
    const auto likelier = [](const Next& a, const Next& b) {
      return std::tie(b.nats, a.way, a.offset) < std::tie(a.nats, b.way, b.offset);
    };
    const float top = std::min_element(next.begin(), next.end(), likelier)->nats;
    const auto total = [&] {
      double sum = 0;
      for (const Next& n : next) sum += std::exp(static_cast<double>(n.nats) - top);
      return sum;
    };
    const double before = total();
    if (next.size() > kKept) {
      std::nth_element(next.begin(), next.begin() + kKept, next.end(), likelier);
      next.resize(kKept);
    }
    std::sort(next.begin(), next.end(), likelier);
    kept_share_ *= total() / before;
    std::vector<Way> ways;
    for (const Next& n : next) {
      Way way = ways_[n.way];
      way.nats = n.nats;
      way.offsets.push_back(n.offset);
      ways.push_back(std::move(way));
    }
    ways_ = std::move(ways);
  }

  const std::vector<PairWorth> pairs_;
  const int reach_;
  std::vector<int> order_;  // the base first
  std::vector<Way> ways_;
  Way best_;
  double kept_share_ = 1, all_ = 0;
};

}  // namespace

SyncEstimate estimate_from_motion(const std::vector<LineSignals>& signals, int reach,
                                  const EstimateOptions& options) {
  const int trend_frames = std::max(3, static_cast<int>(std::lround(kMotionTrend_s * options.frame_rate)));
  std::vector<LineSignals> scaled;
  for (const LineSignals& one : signals) scaled.push_back(divided_by_deviation(one, trend_frames));
  std::vector<std::pair<size_t, size_t>> both;
  for (size_t i = 0; i < signals.size(); ++i)
    for (size_t j = i + 1; j < signals.size(); ++j) both.emplace_back(i, j);
  std::vector<PairAnalysis> pairs(both.size());
  sync_detail::PairOptions how;
  how.frame_rate = options.frame_rate;
  how.trend_s = kMotionTrend_s;
  how.presence = 0;
  how.quiet_level = 0.5;  // of 1, or of 0 where nothing of the colour moves
  how.follow = false;
  how.min_active_lines = 1;
  tbb::parallel_for(size_t{0}, both.size(), [&](size_t p) {
    PairSignals pair;
    pair.first = static_cast<int>(both[p].first), pair.second = static_cast<int>(both[p].second);
    pair.a = scaled[both[p].first], pair.b = scaled[both[p].second];
    pair.lowest_lag = -reach, pair.highest_lag = reach;
    pairs[p] = sync_detail::analyse_pair(pair, how);
  });
  int64_t longest = 0;
  for (const LineSignals& one : signals) longest = std::max(longest, one.frames());
  std::vector<PairWorth> worths;
  for (const PairAnalysis& pair : pairs) worths.push_back(worth_of(pair));
  const JointSearch search(std::move(worths), static_cast<int>(signals.size()), options.base,
                           static_cast<int>(std::min<int64_t>(reach, std::max<int64_t>(longest - 1, 0))));
  SyncEstimate estimate;
  estimate.base = options.base;
  for (size_t c = 0; c < signals.size(); ++c) {
    CameraAlignment& camera = estimate.cameras.emplace_back();
    if (static_cast<int>(c) == options.base) {
      camera.offset_frames = 0, camera.confidence = 1;
      continue;
    }
    const JointSearch::Found found = search.of(static_cast<int>(c));
    camera.confidence = found.confidence;
    camera.sigma_frames = found.sigma;
    if (found.confidence > kMotionConfidence)
      camera.offset_frames = found.mean;
    else
      camera.reason =
          fmt::format("motion is inconclusive: the most likely offset, {} frames, has a confidence of {:.2f}",
                      found.offset, found.confidence);
  }
  for (PairAnalysis& pair : pairs) {
    PairEstimate& e = pair.estimate;
    const CameraAlignment &a = estimate.cameras[e.first], &b = estimate.cameras[e.second];
    const std::optional<double> own = pair.candidate;
    e.offset_frames.reset();
    e.confidence = std::min(a.confidence, b.confidence);
    if (a.offset_frames && b.offset_frames) {
      e.offset_frames = *b.offset_frames - *a.offset_frames;
      e.reason.clear();
      if (own) e.residual_frames = *own - *e.offset_frames;
      e.used = own && std::abs(e.residual_frames) <= kNear;
    } else if (e.reason.empty()) {
      e.reason = a.offset_frames ? b.reason : a.reason;
    }
    estimate.pairs.push_back(std::move(e));
  }
  return estimate;
}

}  // namespace vantage
