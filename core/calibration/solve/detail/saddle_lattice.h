// Lattices of the saddle points of a picture's brightness, of which a chessboard's corners are some: saddles
// whose bright directions agree are every other corner of a board.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <utility>
#include <vector>

namespace vantage {

struct Saddle {
  Eigen::Vector2d place;
  Eigen::Vector2d axes;  // twice the angle of its bright direction, as a unit vector
  double strength = 0;
};

using LatticeCell = std::pair<int, int>;  // steps along two neighbours of the first saddle
using SaddleLattice = std::vector<std::pair<LatticeCell, int>>;  // cells and their saddles, by cell

class SaddleGrower {
 public:
  // The saddles outlive it; the strongest first.
  explicit SaddleGrower(const std::vector<Saddle>& saddles);

  // Grows from a saddle and two of its neighbours, whose cells are (1, 0) and (0, 1).
  SaddleLattice grow(int origin, int u, int v);
  // The nearest of the saddles like this one, the nearest first.
  std::vector<int> neighbours(int saddle) const;

 private:
  static constexpr int kMaxSteps = 100, kMargin = kMaxSteps + 1, kSpan = 2 * kMargin + 1;
  struct Taken {
    int growth = 0, ring = 0, saddle = 0;
  };
  struct Guess {
    Eigen::Vector2d place;
    double reach_px;
  };

  size_t block_index(int column, int row) const;
  int nearest(const Eigen::Vector2d& place, double reach_px, const Saddle& model) const;
  static size_t cell_index(LatticeCell cell);
  void take(LatticeCell cell, int saddle);
  bool is_taken(LatticeCell cell) const { return cells_[cell_index(cell)].growth == growth_; }
  std::optional<Eigen::Vector2d> known(int column, int row) const;
  std::optional<Guess> guess(LatticeCell cell, int dx, int dy) const;
  bool add_ring(SaddleLattice* lattice);

  const std::vector<Saddle>& saddles_;
  int growth_ = 0, ring_ = 0;  // counted, so that nothing needs clearing
  std::vector<Taken> cells_ = std::vector<Taken>(static_cast<size_t>(kSpan) * kSpan);
  std::vector<int> used_in_;              // by saddle: the last growth that used it
  int columns_ = 0, rows_ = 0;            // of blocks of the picture
  std::vector<std::vector<int>> blocks_;  // the saddles in each
};

}  // namespace vantage
