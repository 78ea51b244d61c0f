#include "core/sync/detail/evidence.h"

#include <algorithm>
#include <cmath>

namespace vantage::sync_detail {
namespace {

constexpr double kStep_s = 0.2;
constexpr double kResizeCost = 2, kCostPerPpm = 1.0 / 200;  // nats, as kChangeCost

}  // namespace

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

bool Evidence::add_gains(size_t p, size_t camera, double base_frame, Gains* gains) const {
  if (!has(p, camera)) return false;
  const PairAnalysis& pair = pairs_[p];
  const bool is_first = static_cast<size_t>(pair.estimate.first) == camera;
  const Place aligned = place(pair, base_frame);
  const Look here = look(pair, aligned);
  if (here.frames <= 0) return false;
  bool any = false;
  for (int s = 0; s < kChangeSizes; ++s) {
    if (s == kLargestChange) continue;
    Place at = aligned;
    at.move(is_first, s - kLargestChange);
    const Look there = look(pair, at);
    if (there.frames <= 0) continue;
    const double common = std::min(there.frames, here.frames);
    (*gains)[static_cast<size_t>(s)] += there.nats * common / there.frames - here.nats * common / here.frames;
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
    const double changed = before[static_cast<size_t>(best)] - change_cost(camera, base_frame);
    for (int s = 0; s < kStates; ++s) {
      const bool changes = k > 0 && changed > before[static_cast<size_t>(s)];
      from[static_cast<size_t>(k) * kStates + static_cast<size_t>(s)] =
          static_cast<int8_t>(changes ? best : s);
      now[static_cast<size_t>(s)] =
          (changes ? changed : before[static_cast<size_t>(s)]) + likelihood(camera, base_frame, s - kReach);
    }
  }
  std::vector<int> path(static_cast<size_t>(count));
  int s = static_cast<int>(std::max_element(now.begin(), now.end()) - now.begin());
  for (int k = count - 1; k >= 0; --k) {
    path[static_cast<size_t>(k)] = s - kReach;
    s = from[static_cast<size_t>(k) * kStates + static_cast<size_t>(s)];
  }
  return path;
}

}  // namespace vantage::sync_detail
