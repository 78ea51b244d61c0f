#include "core/display/coverage_outline.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "core/people/occupancy/coverage.h"

namespace vantage {
namespace {

// A lattice edge: its lower node and whether it runs along y.
struct LatticeEdge {
  int x = 0, y = 0;
  bool along_y = false;
  auto operator<=>(const LatticeEdge&) const = default;
};

// The lines through the edges that are crossed. Every crossing belongs to one or two cells, so every edge has
// one or two neighbours: chains and rings.
class Chains {
 public:
  void join(const LatticeEdge& a, const LatticeEdge& b) {
    next_[a].push_back(b);
    next_[b].push_back(a);
  }
  std::vector<std::vector<LatticeEdge>> take() {
    std::vector<std::vector<LatticeEdge>> lines;
    for (const bool ends_only : {true, false})  // rings are what is left
      for (auto& [edge, neighbours] : next_)
        if (!neighbours.empty() && (!ends_only || neighbours.size() == 1)) lines.push_back(follow(edge));
    return lines;
  }

 private:
  std::vector<LatticeEdge> follow(LatticeEdge edge) {
    std::vector<LatticeEdge> line = {edge};
    while (!next_[edge].empty()) {
      const LatticeEdge to = next_[edge].back();
      next_[edge].pop_back();
      std::erase(next_[to], edge);
      line.push_back(to);
      edge = to;
    }
    return line;
  }
  std::map<LatticeEdge, std::vector<LatticeEdge>> next_;
};

}  // namespace

CoverageOutline::CoverageOutline(const std::vector<Camera>& cameras, const Eigen::Vector2d& low_m,
                                 const Eigen::Vector2d& high_m)
    : low_m_(low_m) {
  for (const Camera& camera : cameras) models_.push_back(camera.model());
  const Eigen::Vector2d size = high_m - low_m;
  const double step = std::max(0.05, size.maxCoeff() / 160);
  nx_ = std::max(2, static_cast<int>(std::ceil(size.x() / step)) + 1);
  ny_ = std::max(2, static_cast<int>(std::ceil(size.y() / step)) + 1);
  step_m_ = {size.x() / (nx_ - 1), size.y() / (ny_ - 1)};
  for (int y = 0; y < ny_; ++y)
    for (int x = 0; x < nx_; ++x) counts_.push_back(seeing(place(x, y)));
}

Eigen::Vector2d CoverageOutline::place(int x, int y) const {
  return low_m_ + step_m_.cwiseProduct(Eigen::Vector2d(x, y));
}

int CoverageOutline::seeing(const Eigen::Vector2d& place_m) const {
  return std::popcount(cameras_that_see(models_, place_m.x(), place_m.y(), 0) &
                       cameras_that_see(models_, place_m.x(), place_m.y(), FloorCoverage::kChest_m));
}

Eigen::Vector2d CoverageOutline::crossing(Eigen::Vector2d inside, Eigen::Vector2d outside, int needed) const {
  while ((inside - outside).norm() > 1e-3) {
    const Eigen::Vector2d middle = (inside + outside) / 2;
    (seeing(middle) >= needed ? inside : outside) = middle;
  }
  return (inside + outside) / 2;
}

std::vector<CoverageLine> CoverageOutline::lines(int needed) const {
  Chains chains;
  for (int y = 0; y + 1 < ny_; ++y)
    for (int x = 0; x + 1 < nx_; ++x) {
      // Around the cell: lower, right, upper, left edge; an edge is crossed where its two nodes differ.
      const std::array<bool, 4> in = {count(x, y) >= needed, count(x + 1, y) >= needed,
                                      count(x + 1, y + 1) >= needed, count(x, y + 1) >= needed};
      const std::array<LatticeEdge, 4> edges = {LatticeEdge{x, y, false}, LatticeEdge{x + 1, y, true},
                                                LatticeEdge{x, y + 1, false}, LatticeEdge{x, y, true}};
      std::vector<LatticeEdge> crossed;
      for (size_t i = 0; i < 4; ++i)
        if (in[i] != in[(i + 1) % 4]) crossed.push_back(edges[i]);
      if (crossed.size() == 2) chains.join(crossed[0], crossed[1]);
      // A saddle: the two corners inside are taken as apart.
      if (crossed.size() == 4) {
        const bool first = in[0];
        chains.join(edges[first ? 3 : 0], edges[first ? 0 : 1]);
        chains.join(edges[first ? 1 : 2], edges[first ? 2 : 3]);
      }
    }
  std::vector<CoverageLine> lines;
  for (const std::vector<LatticeEdge>& chain : chains.take()) {
    CoverageLine& line = lines.emplace_back();
    for (const LatticeEdge& edge : chain) {
      const Eigen::Vector2d a = place(edge.x, edge.y),
                            b = place(edge.x + !edge.along_y, edge.y + edge.along_y);
      line.push_back(count(edge.x, edge.y) >= needed ? crossing(a, b, needed) : crossing(b, a, needed));
    }
  }
  return lines;
}

}  // namespace vantage
