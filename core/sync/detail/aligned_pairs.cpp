#include "core/sync/detail/aligned_pairs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage::sync_detail {
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

}  // namespace vantage::sync_detail
