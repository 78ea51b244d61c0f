// Optimal assignment of rows to columns of a dense score matrix (the Hungarian method with potentials; H. W.
// Kuhn 1955, in the shortest-augmenting-path form of R. Jonker and A. Volgenant 1987). O(rows^2 * columns)
// for rows <= columns.
#pragma once

#include <cstddef>
#include <vector>

namespace vantage {

struct ScoreMatrix {
  int rows = 0, columns = 0;
  std::vector<double> values;  // row-major, finite
  ScoreMatrix(int r, int c)
      : rows(r), columns(c), values(static_cast<size_t>(r) * static_cast<size_t>(c), 0.0) {}
  double& at(int r, int c) {
    return values[static_cast<size_t>(r) * static_cast<size_t>(columns) + static_cast<size_t>(c)];
  }
  double at(int r, int c) const {
    return values[static_cast<size_t>(r) * static_cast<size_t>(columns) + static_cast<size_t>(c)];
  }
};

// For each row its column, -1 where none: the assignment of min(rows, columns) pairs with the largest total
// score.
std::vector<int> assign_maximum(const ScoreMatrix& scores);

}  // namespace vantage
