#include "core/sync/detail/reconcile.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "core/geometry/dense.h"

namespace vantage {
namespace {

// Cameras joined to the base by edges that `counts`.
template <typename Counts>
std::vector<bool> joined_to(int cameras, int base, const std::vector<OffsetEdge>& edges, Counts counts) {
  std::vector<bool> joined(static_cast<size_t>(cameras), false);
  joined[base] = true;
  for (bool more = true; more;) {
    more = false;
    for (const OffsetEdge& edge : edges) {
      const auto i = static_cast<size_t>(edge.first), j = static_cast<size_t>(edge.second);
      if (!counts(edge) || joined[i] == joined[j]) continue;
      joined[i] = joined[j] = more = true;
    }
  }
  return joined;
}

struct Solution {
  Eigen::VectorXd value;
  Eigen::MatrixXd covariance;
};

// Weighted least squares; cameras that are not joined, and the base, stay at 0.
Solution solve(int cameras, int base, const std::vector<OffsetEdge>& edges,
               const std::vector<double>& weights, const std::vector<bool>& joined) {
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(cameras, cameras);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(cameras);
  for (size_t e = 0; e < edges.size(); ++e) {
    const OffsetEdge& edge = edges[e];
    const double w = weights[e];
    normal(edge.first, edge.first) += w, normal(edge.second, edge.second) += w;
    normal(edge.first, edge.second) -= w, normal(edge.second, edge.first) -= w;
    right[edge.first] -= w * edge.difference, right[edge.second] += w * edge.difference;
  }
  for (int c = 0; c < cameras; ++c) {
    if (c != base && joined[c]) continue;
    normal.row(c).setZero(), normal.col(c).setZero();
    normal(c, c) = 1, right[c] = 0;
  }
  return {solve_symmetric(normal, right), inverse_of(normal)};
}

void find_residuals(const Eigen::VectorXd& value, std::vector<OffsetEdge>* edges) {
  for (OffsetEdge& edge : *edges) edge.residual = edge.difference - (value[edge.second] - value[edge.first]);
}

}  // namespace

std::vector<std::optional<ReconciledOffset>> reconcile_offsets(int cameras, int base,
                                                               std::vector<OffsetEdge>* edges,
                                                               double tolerance) {
  constexpr int kRounds = 40;
  constexpr double kMinSigma = 0.1;  // a pair too sure of itself must not rule
  constexpr double kMinResidual = 1e-4;
  const auto any = [](const OffsetEdge&) { return true; };
  std::vector<bool> joined = joined_to(cameras, base, *edges, any);
  std::vector<double> weights;
  for (const OffsetEdge& edge : *edges) weights.push_back(1 / std::pow(std::max(edge.sigma, kMinSigma), 2));
  Solution solution;
  for (int round = 0; round < kRounds; ++round) {
    solution = solve(cameras, base, *edges, weights, joined);
    find_residuals(solution.value, edges);
    for (size_t e = 0; e < edges->size(); ++e) {
      const OffsetEdge& edge = (*edges)[e];
      weights[e] = 1 / (std::max(edge.sigma, kMinSigma) * std::max(std::abs(edge.residual), kMinResidual));
    }
  }
  for (OffsetEdge& edge : *edges)
    edge.used = joined[edge.first] && std::abs(edge.residual) <= std::max(tolerance, 4 * edge.sigma);
  joined = joined_to(cameras, base, *edges, [](const OffsetEdge& edge) { return edge.used; });
  for (size_t e = 0; e < edges->size(); ++e) {
    const OffsetEdge& edge = (*edges)[e];
    weights[e] = edge.used ? 1 / std::pow(std::max(edge.sigma, 0.01), 2) : 0;
  }
  solution = solve(cameras, base, *edges, weights, joined);
  find_residuals(solution.value, edges);
  std::vector<std::optional<ReconciledOffset>> offsets(static_cast<size_t>(cameras));
  for (int c = 0; c < cameras; ++c)
    if (joined[c])
      offsets[c] = ReconciledOffset{c == base ? 0.0 : solution.value[c],
                                    c == base ? 0.0 : std::sqrt(std::max(0.0, solution.covariance(c, c)))};
  return offsets;
}

}  // namespace vantage

namespace vantage::sync_detail {
namespace {

struct PairJump {
  size_t pair;
  double base_frame;
  int frames;  // change of the lag
};

// In the order of time.
std::vector<PairJump> jumps_of_paths(const AlignedPairs& pairs) {
  std::vector<PairJump> found;
  for (size_t p = 0; p < pairs.size(); ++p) {
    if (!pairs.usable(p)) continue;
    const std::vector<int>& lags = pairs[p].path.lags;
    for (size_t b = 1; b < lags.size(); ++b)
      if (std::abs(lags[b] - lags[b - 1]) >= kMinJump)
        found.push_back({p, pairs.base_frame(pairs[p], static_cast<double>(b)), lags[b] - lags[b - 1]});
  }
  std::sort(found.begin(), found.end(),
            [](const PairJump& a, const PairJump& b) { return a.base_frame < b.base_frame; });
  return found;
}

// The camera that the pairs' jumps are of. Pairs that run at that instant and do not jump say 0. Empty where
// they cancel.
std::optional<Jump> reconcile_jumps(const AlignedPairs& pairs, std::span<const PairJump> cluster) {
  Jump jump;
  jump.base_frame = cluster[cluster.size() / 2].base_frame;
  std::map<size_t, double> by_pair;
  for (const PairJump& one : cluster) by_pair[one.pair] += one.frames;
  std::vector<OffsetEdge> edges;
  for (size_t p = 0; p < pairs.size(); ++p) {
    if (!pairs.usable(p)) continue;
    const int block = pairs.block_at(pairs[p], jump.base_frame);
    if (block <= 0 || block >= pairs[p].table.blocks) continue;
    const auto size = by_pair.find(p);
    edges.push_back(
        {pairs[p].estimate.first, pairs[p].estimate.second, size == by_pair.end() ? 0.0 : size->second, 0.3});
  }
  const auto solved =
      reconcile_offsets(static_cast<int>(pairs.cameras().size()), pairs.options().base, &edges);
  bool any = false;
  for (const auto& value : solved) {
    jump.frames.push_back(value ? std::round(value->value) : 0.0);
    any = any || jump.frames.back() != 0;
  }
  return any ? std::optional(std::move(jump)) : std::nullopt;
}

// One camera's jump; of the base, all others' the other way.
Jump jump_of(const AlignedPairs& pairs, size_t camera, double base_frame, double frames) {
  Jump jump{base_frame, std::vector<double>(pairs.cameras().size(), 0.0)};
  if (static_cast<int>(camera) == pairs.options().base) {
    std::fill(jump.frames.begin(), jump.frames.end(), -frames);
    jump.frames[camera] = 0;
  } else {
    jump.frames[camera] = frames;
  }
  return jump;
}

}  // namespace

std::vector<Jump> find_jumps(const AlignedPairs& pairs) {
  const std::vector<PairJump> found = jumps_of_paths(pairs);
  const double reach = kJumpCluster_s * pairs.options().frame_rate;
  std::vector<Jump> jumps;
  for (size_t from = 0; from < found.size();) {
    size_t to = from;
    while (to < found.size() && found[to].base_frame - found[from].base_frame <= reach) ++to;
    if (auto jump = reconcile_jumps(pairs, std::span(found).subspan(from, to - from)))
      jumps.push_back(std::move(*jump));
    from = to;
  }
  return jumps;
}

std::vector<Jump> jumps_beside(const AlignedPairs& pairs, const Evidence& evidence) {
  std::vector<Jump> jumps;
  for (size_t c = 0; c < pairs.cameras().size(); ++c) {
    if (!pairs.cameras()[c].offset_frames) continue;
    const std::vector<int> path = evidence.path_beside(c);
    for (size_t k = 1; k < path.size(); ++k)
      if (path[k] != path[k - 1])
        jumps.push_back(jump_of(pairs, c, evidence.span().begin + static_cast<double>(k) * evidence.step(),
                                path[k] - path[k - 1]));
  }
  return jumps;
}

std::vector<Jump> join_jumps(const AlignedPairs& pairs, std::vector<Jump> more) {
  for (size_t c = 0; c < pairs.cameras().size(); ++c)
    for (const OffsetChange& change : pairs.cameras()[c].changes)
      more.push_back(jump_of(pairs, c, static_cast<double>(change.base_frame), change.frames));
  std::sort(more.begin(), more.end(),
            [](const Jump& a, const Jump& b) { return a.base_frame < b.base_frame; });
  const double same = kSameChange_s * pairs.options().frame_rate;
  std::vector<Jump> jumps;
  for (const Jump& jump : more) {
    if (jumps.empty() || jump.base_frame - jumps.back().base_frame > same) {
      jumps.push_back(jump);
      continue;
    }
    for (size_t c = 0; c < jump.frames.size(); ++c) jumps.back().frames[c] += jump.frames[c];
  }
  return jumps;
}

}  // namespace vantage::sync_detail
