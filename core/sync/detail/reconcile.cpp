#include "core/sync/detail/reconcile.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/geometry/dense.h"

namespace vantage {
namespace {

// Cameras joined to the base by edges that `counts`.
template <typename Counts>
std::vector<bool> joined_to(int cameras, int base, const std::vector<OffsetEdge>& edges, Counts counts) {
  std::vector<bool> joined(static_cast<size_t>(cameras), false);
  joined[static_cast<size_t>(base)] = true;
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
    if (c != base && joined[static_cast<size_t>(c)]) continue;
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
    edge.used = joined[static_cast<size_t>(edge.first)] &&
                std::abs(edge.residual) <= std::max(tolerance, 4 * edge.sigma);
  joined = joined_to(cameras, base, *edges, [](const OffsetEdge& edge) { return edge.used; });
  for (size_t e = 0; e < edges->size(); ++e) {
    const OffsetEdge& edge = (*edges)[e];
    weights[e] = edge.used ? 1 / std::pow(std::max(edge.sigma, 0.01), 2) : 0;
  }
  solution = solve(cameras, base, *edges, weights, joined);
  find_residuals(solution.value, edges);
  std::vector<std::optional<ReconciledOffset>> offsets(static_cast<size_t>(cameras));
  for (int c = 0; c < cameras; ++c)
    if (joined[static_cast<size_t>(c)])
      offsets[static_cast<size_t>(c)] =
          ReconciledOffset{c == base ? 0.0 : solution.value[c],
                           c == base ? 0.0 : std::sqrt(std::max(0.0, solution.covariance(c, c)))};
  return offsets;
}

}  // namespace vantage
