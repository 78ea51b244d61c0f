#include "core/sync/detail/evidence.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage::sync_detail {
namespace {

constexpr double kStep_s = 0.2;
constexpr double kResizeCost = 2, kCostPerPpm = 1.0 / 200;  // nats, as kChangeCost

}  // namespace

bool is_lost(const CameraAlignment& camera, double base_frame, double beside) {
  return std::any_of(camera.changes.begin(), camera.changes.end(), [&](const OffsetChange& change) {
    const auto at = static_cast<double>(change.base_frame);
    return base_frame > at - beside && base_frame < at + std::max(0.0, -change.frames) + beside;
  });
}

double Evidence::step() const {
  return std::max(1.0, std::round(kStep_s * pairs_.options().frame_rate));
}

Evidence::Place Evidence::place(const PairAnalysis& pair, double base_frame) const {
  return {aligned_frame(pairs_.camera(pair.estimate.first), base_frame),
          aligned_frame(pairs_.camera(pair.estimate.second), base_frame)};
}

// Empty where the pair has no frames to compare there.
Evidence::Look Evidence::look(const PairAnalysis& pair, const Place& place) {
  const int block = static_cast<int>(std::floor(place.first / pair.table.block_frames));
  const int lag = static_cast<int>(std::floor(place.second - place.first));
  if (block < 0 || block >= pair.table.blocks || !pair.table.has(lag) || !pair.table.has(lag + 1)) return {};
  const LagSums &below = pair.table.at(block, lag), &above = pair.table.at(block, lag + 1);
  const double fraction = place.second - place.first - lag;
  return {(1 - fraction) * pair.model(below) + fraction * pair.model(above),
          (1 - fraction) * below.frames + fraction * above.frames};
}

bool Evidence::has(size_t p, size_t camera) const {
  const PairEstimate& pair = pairs_[p].estimate;
  return pairs_.usable(p) &&
         (static_cast<size_t>(pair.first) == camera || static_cast<size_t>(pair.second) == camera);
}

double Evidence::likelihood(size_t camera, double base_frame, int beside) const {
  double sum = 0;
  for (size_t p = 0; p < pairs_.size(); ++p) {
    if (!has(p, camera)) continue;
    Place at = place(pairs_[p], base_frame);
    at.move(static_cast<size_t>(pairs_[p].estimate.first) == camera, beside);
    sum += look(pairs_[p], at).nats;
  }
  return sum;
}

std::optional<Evidence::Aligned> Evidence::aligned(size_t p, size_t camera, double base_frame) const {
  if (!has(p, camera)) return std::nullopt;
  Aligned here;
  here.is_first = static_cast<size_t>(pairs_[p].estimate.first) == camera;
  here.place = place(pairs_[p], base_frame);
  here.look = look(pairs_[p], here.place);
  return here.look.frames > 0 ? std::optional(here) : std::nullopt;
}

std::optional<double> Evidence::gain(const PairAnalysis& pair, const Aligned& here, int beside) {
  Place at = here.place;
  at.move(here.is_first, beside);
  const Look there = look(pair, at);
  if (there.frames <= 0) return std::nullopt;
  const double common = std::min(there.frames, here.look.frames);
  return there.nats * common / there.frames - here.look.nats * common / here.look.frames;
}

std::optional<double> Evidence::gain(size_t p, size_t camera, double base_frame, int beside) const {
  const std::optional<Aligned> here = aligned(p, camera, base_frame);
  return here ? gain(pairs_[p], *here, beside) : std::nullopt;
}

bool Evidence::add_gains(size_t p, size_t camera, double base_frame, Gains* gains) const {
  const std::optional<Aligned> here = aligned(p, camera, base_frame);
  if (!here) return false;
  bool any = false;
  for (int s = 0; s < kChangeSizes; ++s) {
    if (s == kLargestChange) continue;
    const std::optional<double> gained = gain(pairs_[p], *here, s - kLargestChange);
    if (!gained) continue;
    (*gains)[s] += *gained;
    any = true;
  }
  return any;
}

double Evidence::of_pair(size_t p, double base_frame) const {
  return look(pairs_[p], place(pairs_[p], base_frame)).nats;
}

double Evidence::of(size_t camera) const {
  double sum = 0;
  for (double m = span_.begin; m < span_.end; m += step()) sum += likelihood(camera, m, 0);
  const CameraAlignment& alignment = pairs_.cameras()[camera];
  return sum - kChangeCost * static_cast<double>(alignment.changes.size()) -
         kCostPerPpm * std::abs(alignment.drift_ppm);
}

double Evidence::of_all() const {
  double sum = 0;
  for (size_t c = 0; c < pairs_.cameras().size(); ++c) sum += of(c);
  return sum;
}

// The cost of a change there; one that was found already may be another size for less.
double Evidence::change_cost(size_t camera, double base_frame) const {
  for (const OffsetChange& change : pairs_.cameras()[camera].changes)
    if (std::abs(static_cast<double>(change.base_frame) - base_frame) <=
        kSameChange_s * pairs_.options().frame_rate)
      return kResizeCost;
  return kChangeCost;
}

std::vector<int> Evidence::path_beside(size_t camera) const {
  constexpr int kReach = 15;
  constexpr int kStates = 2 * kReach + 1;
  const int count = static_cast<int>((span_.end - span_.begin) / step());
  std::vector<double> now(kStates, 0.0), before;
  std::vector<int8_t> from(static_cast<size_t>(count) * kStates);
  for (int k = 0; k < count; ++k) {
    before = now;
    const int best = static_cast<int>(std::max_element(before.begin(), before.end()) - before.begin());
    const double base_frame = span_.begin + k * step();
    const double changed = before[best] - change_cost(camera, base_frame);
    for (int s = 0; s < kStates; ++s) {
      const bool changes = k > 0 && changed > before[s];
      from[static_cast<size_t>(k) * kStates + static_cast<size_t>(s)] =
          static_cast<int8_t>(changes ? best : s);
      now[s] = (changes ? changed : before[s]) + likelihood(camera, base_frame, s - kReach);
    }
  }
  std::vector<int> path(static_cast<size_t>(count));
  int s = static_cast<int>(std::max_element(now.begin(), now.end()) - now.begin());
  for (int k = count - 1; k >= 0; --k) {
    path[k] = s - kReach;
    s = from[static_cast<size_t>(k) * kStates + static_cast<size_t>(s)];
  }
  return path;
}

namespace {

constexpr double kAgrees = 0.5;  // frames that a pair's peak may lie off the alignment

}  // namespace

AlignedPairs::AlignedPairs(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
                           const std::vector<CameraAlignment>& cameras)
    : pairs_(pairs), options_(options), cameras_(cameras) {
  for (const PairAnalysis& pair : pairs_) {
    usable_.push_back(pair.estimate.used);
    paths_.push_back(pair.path.lags);
  }
}

double AlignedPairs::base_frame(const PairAnalysis& pair, double block) const {
  const CameraAlignment& first = camera(pair.estimate.first);
  const double frame = block * pair.table.block_frames;
  double base = frame - first.offset_frames.value_or(0.0);
  for (int round = 0; round < 3; ++round) base += frame - aligned_frame(first, base);
  return base;
}

int AlignedPairs::block_at(const PairAnalysis& pair, double base_frame) const {
  const double frame = aligned_frame(camera(pair.estimate.first), base_frame);
  return static_cast<int>(std::lround(frame / pair.table.block_frames));
}

Span AlignedPairs::span() const {
  Span span{1e18, -1e18};
  for (size_t p = 0; p < pairs_.size(); ++p) {
    if (!usable_[p]) continue;
    span.begin = std::min(span.begin, base_frame(pairs_[p], 0));
    span.end = std::max(span.end, base_frame(pairs_[p], pairs_[p].table.blocks));
  }
  return span;
}

LagMeasure AlignedPairs::measure(size_t p, const Span& span) const {
  return measure_lag(pairs_[p], paths_[p], block_at(pairs_[p], span.begin), block_at(pairs_[p], span.end));
}

void AlignedPairs::follow_alignment() {
  for (size_t p = 0; p < pairs_.size(); ++p) {
    const PairAnalysis& pair = pairs_[p];
    const CameraAlignment &first = camera(pair.estimate.first), &second = camera(pair.estimate.second);
    if (!pair.estimate.offset_frames || !first.offset_frames || !second.offset_frames) continue;
    std::vector<int> path(paths_[p].size());
    for (size_t b = 0; b < path.size(); ++b) {
      const double m = base_frame(pair, static_cast<double>(b) + 0.5);
      path[b] = static_cast<int>(std::lround(aligned_frame(second, m) - aligned_frame(first, m)));
    }
    const LagMeasure whole = measure_lag(pair, path, 0, pair.table.blocks);
    usable_[p] = usable_[p] || (whole.sigma > 0 && std::abs(whole.beside_path) <= kAgrees);
    if (usable_[p]) paths_[p] = std::move(path);
  }
}

namespace {

constexpr double kStretch_s = 1;
constexpr double kBesideChange_s = 1;  // a change is known to within this
constexpr double kMargin = 1.5;        // times as sure as a window's few stretches show
constexpr int kHalvings = 8;           // of the interval the weight lies in

class PairWeights {
 public:
  PairWeights(const AlignedPairs& pairs, const Evidence& evidence, double end)
      : pairs_(pairs), evidence_(evidence) {
    for (double m = evidence.span().begin; m < end; m += evidence.step()) looks_.push_back({m, settled(m)});
  }

  double of(const AddGains& add_gains) const {
    const std::vector<double> gains = gains_of_stretches(add_gains);
    const auto exceeds = [&](double factor) {
      double sum = 0;
      for (const double gain : gains) sum += std::exp(factor * gain);
      return sum > static_cast<double>(gains.size());
    };
    if (!exceeds(kMargin)) return 1;
    double low = 0, high = 1;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = (low + high) / 2;
      (exceeds(kMargin * middle) ? high : low) = middle;
    }
    return low;
  }

 private:
  struct Look {
    double base_frame;
    bool settled;
  };

  bool settled(double base_frame) const {
    const double beside = kBesideChange_s * pairs_.options().frame_rate;
    return std::none_of(pairs_.cameras().begin(), pairs_.cameras().end(),
                        [&](const CameraAlignment& camera) { return is_lost(camera, base_frame, beside); });
  }

  // Gains of every stretch without a change in it and of every lag off the alignment.
  std::vector<double> gains_of_stretches(const AddGains& add_gains) const {
    const int length =
        std::max(1, static_cast<int>(kStretch_s * pairs_.options().frame_rate / evidence_.step()));
    std::vector<double> gains;
    Gains sum{};
    int looks = 0;
    for (const Look& look : looks_) {
      if (looks == 0) sum = {};
      const bool compared = look.settled && add_gains(look.base_frame, &sum);
      looks = compared ? looks + 1 : 0;
      if (looks < length) continue;
      for (int s = 0; s < kChangeSizes; ++s)
        if (s != kLargestChange) gains.push_back(sum[s]);
      looks = 0;
    }
    return gains;
  }

  const AlignedPairs& pairs_;
  const Evidence& evidence_;
  std::vector<Look> looks_;
};

}  // namespace

std::vector<double> pair_weights(const AlignedPairs& pairs, const Evidence& evidence, double end) {
  const PairWeights weights(pairs, evidence, end);
  std::vector<double> out;
  for (size_t p = 0; p < pairs.size(); ++p) {
    const auto camera = static_cast<size_t>(pairs[p].estimate.second);
    const auto add = [&](double base_frame, Gains* gains) {
      return evidence.add_gains(p, camera, base_frame, gains);
    };
    out.push_back(pairs.usable(p) ? weights.of(add) : 1.0);
  }
  return out;
}

double weight_of(const AlignedPairs& pairs, const Evidence& evidence, const AddGains& add_gains) {
  return PairWeights(pairs, evidence, evidence.span().end).of(add_gains);
}

}  // namespace vantage::sync_detail
