#include "core/calibration/solve/detail/saddle_lattice.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace vantage {
namespace {

using Eigen::Vector2d;

constexpr int kNeighbours = 8;

bool alike(const Saddle& a, const Saddle& b) {
  return a.axes.dot(b.axes) > 0.7 && a.strength < 20 * b.strength && b.strength < 20 * a.strength;
}

int block_of(double place) {
  constexpr double kBlock_px = 24;
  return static_cast<int>(std::clamp(std::floor(place / kBlock_px), 0.0, 1e6));
}

}  // namespace

SaddleGrower::SaddleGrower(const std::vector<Saddle>& saddles) : saddles_(saddles), used_in_(saddles.size()) {
  for (const Saddle& saddle : saddles) {
    columns_ = std::max(columns_, block_of(saddle.place.x()) + 1);
    rows_ = std::max(rows_, block_of(saddle.place.y()) + 1);
  }
  blocks_.resize(static_cast<size_t>(columns_) * static_cast<size_t>(rows_));
  for (size_t i = 0; i < saddles.size(); ++i)
    blocks_[block_index(block_of(saddles[i].place.x()), block_of(saddles[i].place.y()))].push_back(
        static_cast<int>(i));
}

SaddleLattice SaddleGrower::grow(int origin, int u, int v) {
  ++growth_, ring_ = 0;
  SaddleLattice lattice = {{{0, 0}, origin}, {{0, 1}, v}, {{1, 0}, u}};
  for (const auto& [cell, saddle] : lattice) take(cell, saddle);
  while (add_ring(&lattice)) {
  }
  return lattice;
}

std::vector<int> SaddleGrower::neighbours(int i) const {
  std::vector<std::pair<double, int>> near;
  for (size_t j = 0; j < saddles_.size(); ++j) {
    if (static_cast<int>(j) == i || !alike(saddles_[j], saddles_[static_cast<size_t>(i)])) continue;
    near.emplace_back((saddles_[j].place - saddles_[static_cast<size_t>(i)].place).squaredNorm(),
                      static_cast<int>(j));
  }
  const size_t kept = std::min<size_t>(kNeighbours, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(kept), near.end());
  std::vector<int> neighbours;
  for (size_t k = 0; k < kept; ++k) neighbours.push_back(near[k].second);
  return neighbours;
}

size_t SaddleGrower::block_index(int column, int row) const {
  return static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column);
}

// The nearest saddle; of two as near the stronger.
int SaddleGrower::nearest(const Vector2d& place, double reach_px, const Saddle& model) const {
  std::pair<double, int> best = {reach_px * reach_px, -1};
  const int right = std::min(columns_ - 1, block_of(place.x() + reach_px));
  const int low = std::min(rows_ - 1, block_of(place.y() + reach_px));
  for (int row = block_of(place.y() - reach_px); row <= low; ++row)
    for (int column = block_of(place.x() - reach_px); column <= right; ++column)
      for (const int j : blocks_[block_index(column, row)]) {
        const Saddle& saddle = saddles_[static_cast<size_t>(j)];
        const std::pair<double, int> found = {(saddle.place - place).squaredNorm(), j};
        if (found < best && alike(saddle, model) && used_in_[static_cast<size_t>(j)] != growth_) best = found;
      }
  return best.second;
}

size_t SaddleGrower::cell_index(LatticeCell cell) {
  return static_cast<size_t>((cell.second + kMargin) * kSpan + cell.first + kMargin);
}

void SaddleGrower::take(LatticeCell cell, int saddle) {
  cells_[cell_index(cell)] = {growth_, ring_, saddle};
  used_in_[static_cast<size_t>(saddle)] = growth_;
}

// Place of a cell that was there before this ring.
std::optional<Vector2d> SaddleGrower::known(int column, int row) const {
  const Taken& taken = cells_[cell_index({column, row})];
  if (taken.growth != growth_ || taken.ring == ring_) return {};
  return saddles_[static_cast<size_t>(taken.saddle)].place;
}

// The expected position of the neighbour of `cell` in direction (dx, dy), from the cell before it or from the
// row next to it.
std::optional<SaddleGrower::Guess> SaddleGrower::guess(LatticeCell cell, int dx, int dy) const {
  const auto here = known(cell.first, cell.second);
  if (const auto before = known(cell.first - dx, cell.second - dy))
    return Guess{2 * *here - *before, 0.25 * (*here - *before).norm()};
  for (const int side : {-1, 1}) {
    const int sx = side * dy, sy = side * dx;
    const auto beside = known(cell.first + sx, cell.second + sy);
    const auto ahead = known(cell.first + sx + dx, cell.second + sy + dy);
    if (beside && ahead) return Guess{*here + *ahead - *beside, 0.25 * (*ahead - *beside).norm()};
  }
  return {};
}

bool SaddleGrower::add_ring(SaddleLattice* lattice) {
  ++ring_;
  const size_t before = lattice->size();
  for (size_t i = 0; i < before; ++i) {
    const auto [cell, saddle] = (*lattice)[i];
    for (const auto& [dx, dy] : {LatticeCell{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const LatticeCell next = {cell.first + dx, cell.second + dy};
      if (std::abs(next.first) > kMaxSteps || std::abs(next.second) > kMaxSteps || is_taken(next)) continue;
      const auto expected = guess(cell, dx, dy);
      if (!expected) continue;
      const int found = nearest(expected->place, expected->reach_px, saddles_[static_cast<size_t>(saddle)]);
      if (found < 0) continue;
      lattice->emplace_back(next, found);
      take(next, found);
    }
  }
  std::sort(lattice->begin(), lattice->end());
  return lattice->size() > before;
}

}  // namespace vantage
