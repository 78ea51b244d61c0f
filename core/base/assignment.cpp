#include "core/base/assignment.h"

#include <algorithm>
#include <limits>

namespace vantage {
namespace {

// Rows <= columns; cost(r, c) is minimised. Returns the row of each column, -1 where none.
template <typename Cost>
std::vector<int> row_of_column(int rows, int columns, const Cost& cost) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> row_potential(static_cast<size_t>(rows), 0.0);
  std::vector<double> column_potential(static_cast<size_t>(columns), 0.0);
  std::vector<int> owner(static_cast<size_t>(columns), -1);
  for (int start = 0; start < rows; ++start) {
    // Grow a tree of tight edges from `start` until it reaches a free column.
    std::vector<double> distance(static_cast<size_t>(columns), kInfinity);
    std::vector<int> previous(static_cast<size_t>(columns),
                              -1);  // column before this one on the path, -1: the start row
    std::vector<char> done(static_cast<size_t>(columns), 0);
    int row = start, from = -1, sink = -1;
    double reached = 0;
    while (sink < 0) {
      int nearest = -1;
      for (int c = 0; c < columns; ++c) {
        const auto i = static_cast<size_t>(c);
        if (done[i]) continue;
        const double through = reached + cost(row, c) - row_potential[row] - column_potential[i];
        if (through < distance[i]) distance[i] = through, previous[i] = from;
        if (nearest < 0 || distance[i] < distance[nearest]) nearest = c;
      }
      reached = distance[nearest];
      done[nearest] = 1;
      if (owner[nearest] < 0) {
        sink = nearest;
      } else {
        row = owner[nearest];
        from = nearest;
      }
    }
    for (int c = 0; c < columns; ++c) {
      const auto i = static_cast<size_t>(c);
      if (!done[i] || c == sink) continue;
      column_potential[i] += distance[i] - reached;
      row_potential[owner[i]] += reached - distance[i];
    }
    row_potential[start] += reached;
    for (int c = sink; c >= 0; c = previous[c]) {
      const int before = previous[c];
      owner[c] = before < 0 ? start : owner[before];
    }
  }
  return owner;
}

}  // namespace

std::vector<int> assign_maximum(const ScoreMatrix& scores) {
  std::vector<int> column_of_row(static_cast<size_t>(scores.rows), -1);
  if (scores.rows == 0 || scores.columns == 0) return column_of_row;
  if (scores.rows <= scores.columns) {
    const auto owner =
        row_of_column(scores.rows, scores.columns, [&](int r, int c) { return -scores.at(r, c); });
    for (int c = 0; c < scores.columns; ++c)
      if (owner[c] >= 0) column_of_row[owner[c]] = c;
  } else {
    column_of_row =
        row_of_column(scores.columns, scores.rows, [&](int r, int c) { return -scores.at(c, r); });
  }
  return column_of_row;
}

}  // namespace vantage
