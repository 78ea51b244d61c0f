#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "core/sync/follow.h"
#include "core/sync/reconcile.h"

namespace vantage {
namespace {

using sync_detail::PairAnalysis;

// The surest chain of used pairs from the base: its least sure pair.
std::vector<double> chain_confidence(const std::vector<PairAnalysis>& pairs, int cameras, int base) {
  std::vector<double> best(static_cast<size_t>(cameras), 0.0);
  best[static_cast<size_t>(base)] = 1;
  for (int round = 0; round < cameras; ++round)
    for (const PairAnalysis& pair : pairs) {
      if (!pair.estimate.used) continue;
      double &i = best[static_cast<size_t>(pair.estimate.first)],
             &j = best[static_cast<size_t>(pair.estimate.second)];
      const double through_i = std::min(i, pair.estimate.confidence);
      const double through_j = std::min(j, pair.estimate.confidence);
      i = std::max(i, through_j), j = std::max(j, through_i);
    }
  return best;
}

// Why the camera has no offset: what its likeliest pair says.
std::string why_not(const std::vector<PairAnalysis>& pairs, int camera) {
  const PairEstimate* best = nullptr;
  for (const PairAnalysis& pair : pairs) {
    const PairEstimate& e = pair.estimate;
    if (e.first != camera && e.second != camera) continue;
    if (!best || e.confidence > best->confidence) best = &e;
  }
  if (!best) return "there is no pair to compare it with";
  if (!best->reason.empty()) return best->reason;
  return best->used ? "its pairs are not joined to the base camera" : "its pairs contradict each other";
}

}  // namespace

double aligned_frame(const CameraAlignment& camera, double base_frame) {
  double frame = camera.offset_frames.value_or(0.0) + base_frame * (1 + 1e-6 * camera.drift_ppm);
  for (const OffsetChange& change : camera.changes)
    if (base_frame >= static_cast<double>(change.base_frame)) frame += change.frames;
  return frame;
}

SyncEstimate estimate_alignment(const std::vector<PairSignals>& signals, const SyncParameters& parameters,
                                const EstimateOptions& options) {
  const bool published = parameters.method == SyncMethod::published;
  sync_detail::PairOptions how;
  how.frame_rate = options.frame_rate;
  how.trend_s = parameters.trend_s;
  how.presence = parameters.presence;
  how.least_confidence = parameters.least_confidence;
  how.quiet_level = options.quiet_level;
  how.follow = options.follow;
  std::vector<PairAnalysis> pairs(signals.size());
  tbb::parallel_for(size_t{0}, signals.size(), [&](size_t p) {
    if (published)
      pairs[p].estimate = sync_detail::published_pair(signals[p], parameters);
    else
      pairs[p] = sync_detail::analyse_pair(signals[p], how);
  });
  std::vector<OffsetEdge> edges;
  std::vector<size_t> pair_of;
  for (size_t p = 0; p < pairs.size(); ++p) {
    const PairEstimate& e = pairs[p].estimate;
    if (!e.offset_frames) continue;
    edges.push_back({e.first, e.second, *e.offset_frames, std::max(e.sigma_frames, 0.02)});
    pair_of.push_back(p);
  }
  const auto solved = reconcile_offsets(options.cameras, options.base, &edges);
  for (size_t k = 0; k < edges.size(); ++k) {
    pairs[pair_of[k]].estimate.residual_frames = edges[k].residual;
    pairs[pair_of[k]].estimate.used = edges[k].used;
  }
  SyncEstimate estimate;
  estimate.base = options.base;
  const std::vector<double> confidence = chain_confidence(pairs, options.cameras, options.base);
  for (int c = 0; c < options.cameras; ++c) {
    CameraAlignment camera;
    if (const auto& offset = solved[static_cast<size_t>(c)]) {
      camera.offset_frames = offset->value;
      camera.sigma_frames = offset->sigma;
      camera.confidence = confidence[static_cast<size_t>(c)];
    } else {
      camera.reason = why_not(pairs, c);
    }
    estimate.cameras.push_back(std::move(camera));
  }
  if (options.follow && !published) sync_detail::follow_alignment(pairs, options, &estimate.cameras);
  for (PairAnalysis& pair : pairs) estimate.pairs.push_back(std::move(pair.estimate));
  return estimate;
}

}  // namespace vantage
