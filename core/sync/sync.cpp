#include "core/sync/sync.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/sync/detail/follow.h"
#include "core/sync/detail/reconcile.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<SyncParameters>() {
  using P = SyncParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "sync", "Synchronisation",
      {
          choice<&P::method>("Method", {"normalised", "published"},
                             "Normalised line signals, or the likelihood as published.", expert),
          integer<&P::lines>("Lines", "", 4, 256, "Epipolar lines compared for each pair of cameras.",
                             expert),
          integer<&P::max_offset_frames>("Maximum offset", "frames", 5, 2000,
                                         "Offsets that are tried, each way from where the search starts."),
          real<&P::min_confidence>("Minimum confidence", "", 0.5, 0.9999, "Below it no offset is given."),
          real<&P::trend_s>("Trend", "s", 0.2, 60,
                            "Normalised method: changes of a line's signal slower than this do not count.",
                            expert),
          real<&P::presence>("Presence", "points", 0, 512,
                             "Normalised method: foreground points of a line that count as half a presence; "
                             "0: the points themselves count.",
                             expert),
          integer<&P::window_frames>("Window", "frames", 10, 5000,
                                     "Published method: frames compared at once.", expert),
          real<&P::sigma>("Sigma", "points", 0.01, 512,
                          "Published method: expected difference of two corresponding lines.", expert),
          boolean<&P::adaptive_prior>(
              "Adaptive prior", "Published method: each window starts from what the window before found.",
              expert),
      });
  return table;
}

namespace {

using sync_detail::PairAnalysis;

// The surest chain of used pairs from the base: its least sure pair.
std::vector<double> chain_confidence(const std::vector<PairAnalysis>& pairs, int cameras, int base) {
  std::vector<double> best(static_cast<size_t>(cameras), 0.0);
  best[base] = 1;
  for (int round = 0; round < cameras; ++round)
    for (const PairAnalysis& pair : pairs) {
      if (!pair.estimate.used) continue;
      double &i = best[pair.estimate.first], &j = best[pair.estimate.second];
      const double through_i = std::min(i, pair.estimate.confidence);
      const double through_j = std::min(j, pair.estimate.confidence);
      i = std::max(i, through_j), j = std::max(j, through_i);
    }
  return best;
}

// Probability, by the normalised signals, of an offset that was found otherwise: the share of their
// likelihood within a frame of it; as much again as all lags have at nothing stands for "no lag at all".
double confidence_in(double offset, const PairAnalysis& normalised) {
  double inside = 0, all = static_cast<double>(normalised.log_likelihood.size());
  for (size_t i = 0; i < normalised.log_likelihood.size(); ++i) {
    const double share = std::exp(static_cast<double>(normalised.log_likelihood[i]));
    all += share;
    if (std::abs(normalised.estimate.curve_lag + static_cast<double>(i) - offset) <= 1) inside += share;
  }
  return all > 0 ? inside / all : 0.0;
}

constexpr size_t kMaxTriangleLags = 1000;

// Joint probability of the candidates of pairs (i, j), (j, k), (i, k): their share of the likelihood over all
// lags x and y, exp(l_ij(x) + l_jk(y) + l_ik(x + y)). Three pairs that say the same weakly are sure together.
double joint_confidence(const PairAnalysis& ij, const PairAnalysis& jk, const PairAnalysis& ik) {
  const auto near = [](const PairAnalysis& pair, int lag) {
    return lag >= pair.lobe_begin && lag < pair.lobe_end;
  };
  const auto value = [](const PairAnalysis& pair, int lag) {
    const int at = lag - pair.estimate.curve_lag;
    return at >= 0 && at < static_cast<int>(pair.log_likelihood.size())
               ? static_cast<double>(pair.log_likelihood[at])
               : 0.0;
  };
  const auto at_candidate = [&](const PairAnalysis& pair) {
    return value(pair, static_cast<int>(std::lround(*pair.candidate)));
  };
  const double top = at_candidate(ij) + at_candidate(jk) + at_candidate(ik);
  double inside = 0, all = 0;
  const int xs = static_cast<int>(ij.log_likelihood.size()), ys = static_cast<int>(jk.log_likelihood.size());
  for (int x = ij.estimate.curve_lag; x < ij.estimate.curve_lag + xs; ++x)
    for (int y = jk.estimate.curve_lag; y < jk.estimate.curve_lag + ys; ++y) {
      const double share = std::exp(value(ij, x) + value(jk, y) + value(ik, x + y) - top);
      all += share;
      if (near(ij, x) && near(jk, y) && near(ik, x + y)) inside += share;
    }
  return inside / all;
}

// Pairs that are not sure on their own may be so together with two others.
void bear_out(double min_confidence, std::vector<PairAnalysis>* pairs) {
  std::vector<double> borne(pairs->size(), 0.0);
  const auto usable = [&](size_t p) {
    return (*pairs)[p].candidate && (*pairs)[p].log_likelihood.size() <= kMaxTriangleLags;
  };
  const auto is = [&](size_t p, int i, int j) {
    return (*pairs)[p].estimate.first == i && (*pairs)[p].estimate.second == j;
  };
  const auto sure = [&](size_t p) { return (*pairs)[p].estimate.confidence >= min_confidence; };
  for (size_t p = 0; p < pairs->size(); ++p)
    for (size_t q = 0; q < pairs->size(); ++q)
      for (size_t r = 0; r < pairs->size(); ++r) {
        const PairEstimate &ij = (*pairs)[p].estimate, &jk = (*pairs)[q].estimate;
        if (ij.second != jk.first || !is(r, ij.first, jk.second)) continue;
        if (!usable(p) || !usable(q) || !usable(r) || (sure(p) && sure(q) && sure(r))) continue;
        const double together = joint_confidence((*pairs)[p], (*pairs)[q], (*pairs)[r]);
        for (const size_t pair : {p, q, r}) borne[pair] = std::max(borne[pair], together);
      }
  for (size_t p = 0; p < pairs->size(); ++p) {
    PairEstimate& estimate = (*pairs)[p].estimate;
    estimate.confidence = std::max(estimate.confidence, borne[p]);
    if (estimate.offset_frames || estimate.confidence < min_confidence || !(*pairs)[p].candidate) continue;
    estimate.offset_frames = (*pairs)[p].candidate;
    estimate.reason.clear();
  }
}

// The reason why the camera has no offset, which its likeliest pair states.
std::string why_not(const std::vector<PairAnalysis>& pairs, int camera) {
  const PairEstimate* best = nullptr;
  for (const PairAnalysis& pair : pairs) {
    const PairEstimate& e = pair.estimate;
    if (e.first != camera && e.second != camera) continue;
    if (!best || e.confidence > best->confidence) best = &e;
  }
  if (!best) return "there is no pair to compare it with";
  if (!best->reason.empty()) return best->reason;
  return best->used ? "its pairs are not connected to the base camera" : "its pairs contradict each other";
}

// A complete recording followed may fit other offsets as well, whatever its pairs say at first.
void abstain_below(double min_confidence, SyncEstimate* estimate) {
  for (CameraAlignment& camera : estimate->cameras) {
    if (!camera.offset_frames || camera.confidence >= min_confidence) continue;
    CameraAlignment abstains;
    abstains.confidence = camera.confidence;
    abstains.reason = fmt::format(
        "the likeliest offset, {:.1f} frames, is only {:.0f} % sure: others explain the footage too",
        *camera.offset_frames, 100 * camera.confidence);
    camera = std::move(abstains);
  }
}

}  // namespace

double aligned_frame(const CameraAlignment& camera, double base_frame) {
  return camera.offset_frames.value_or(0.0) + base_frame * (1 + 1e-6 * camera.drift_ppm) +
         total_change(camera.changes, base_frame);
}

SyncEstimate estimate_alignment(const std::vector<PairSignals>& signals, const SyncParameters& parameters,
                                const EstimateOptions& options) {
  const bool published = parameters.method == SyncMethod::published;
  sync_detail::PairOptions how;
  how.frame_rate = options.frame_rate;
  how.trend_s = parameters.trend_s;
  how.presence = parameters.presence;
  how.min_confidence = parameters.min_confidence;
  how.quiet_level = options.quiet_level;
  how.follow = options.follow;
  std::vector<PairAnalysis> pairs(signals.size());
  tbb::parallel_for(size_t{0}, signals.size(), [&](size_t p) {
    pairs[p] = sync_detail::analyse_pair(signals[p], how);
    if (!published) return;
    const PairAnalysis normalised = std::exchange(pairs[p], {});
    PairEstimate& estimate = pairs[p].estimate;
    estimate = sync_detail::published_pair(signals[p], parameters);
    if (estimate.offset_frames) estimate.confidence = confidence_in(*estimate.offset_frames, normalised);
  });
  bear_out(parameters.min_confidence, &pairs);
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
    if (const auto& offset = solved[c]) {
      camera.offset_frames = offset->value;
      camera.sigma_frames = offset->sigma;
      camera.confidence = confidence[c];
    } else {
      camera.reason = why_not(pairs, c);
    }
    estimate.cameras.push_back(std::move(camera));
  }
  if (options.follow && !published) {
    sync_detail::follow_alignment(pairs, options, &estimate.cameras);
    if (options.latest_s <= 0) abstain_below(parameters.min_confidence, &estimate);
  }
  for (PairAnalysis& pair : pairs) estimate.pairs.push_back(std::move(pair.estimate));
  return estimate;
}

}  // namespace vantage
