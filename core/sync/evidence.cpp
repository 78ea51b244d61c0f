#include "core/sync/evidence.h"

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

// Nothing where the pair is another camera's, or has no frames to compare.
Evidence::Look Evidence::look(size_t p, size_t camera, double base_frame, int beside) const {
  const PairAnalysis& pair = pairs_[p];
  const bool is_first = static_cast<size_t>(pair.estimate.first) == camera,
             is_second = static_cast<size_t>(pair.estimate.second) == camera;
  if (!pairs_.usable(p) || (!is_first && !is_second)) return {};
  const double first =
      aligned_frame(pairs_.camera(pair.estimate.first), base_frame) + (is_first ? beside : 0);
  const double second =
      aligned_frame(pairs_.camera(pair.estimate.second), base_frame) + (is_second ? beside : 0);
  const int block = static_cast<int>(std::floor(first / pair.table.block_frames));
  const int lag = static_cast<int>(std::floor(second - first));
  if (block < 0 || block >= pair.table.blocks || !pair.table.has(lag) || !pair.table.has(lag + 1)) return {};
  const LagSums &below = pair.table.at(block, lag), &above = pair.table.at(block, lag + 1);
  const double fraction = second - first - lag;
  return {(1 - fraction) * pair.model(below) + fraction * pair.model(above),
          (1 - fraction) * below.frames + fraction * above.frames};
}

double Evidence::likelihood(size_t camera, double base_frame, int beside) const {
  double sum = 0;
  for (size_t p = 0; p < pairs_.size(); ++p) sum += look(p, camera, base_frame, beside).nats;
  return sum;
}

double Evidence::gain(size_t camera, double base_frame, int beside) const {
  double sum = 0;
  for (size_t p = 0; p < pairs_.size(); ++p) {
    const Look there = look(p, camera, base_frame, beside), here = look(p, camera, base_frame, 0);
    if (there.frames <= 0 || here.frames <= 0) continue;
    const double common = std::min(there.frames, here.frames);
    sum += there.nats * common / there.frames - here.nats * common / here.frames;
  }
  return sum;
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

// Of a change there; one that was found already may be another size for less.
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
