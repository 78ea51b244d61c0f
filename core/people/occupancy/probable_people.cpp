#include "core/people/occupancy/probable_people.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vantage {
namespace {

constexpr double kNeighbours = 1.5;  // cells from a cell to those around it, also across corners

// The people left to be found among the cells.
class Standing {
 public:
  Standing(const MarginalCells& cells, const std::vector<double>& probability, double reach_m)
      : cells_(cells), q_(probability), empty_(q_.size()), near_(q_.size()) {
    const int max = static_cast<int>(reach_m / cells.cell_m);
    for (int y = -max; y <= max; ++y)
      for (int x = -max; x <= max; ++x)
        if (const double away = std::hypot(x, y) * cells.cell_m; away <= reach_m)
          around_.push_back({x, y, 1 - away * away / (2 * reach_m * reach_m)});
    for (size_t k = 0; k < q_.size(); ++k) sum_around(k);
  }

  // Takes the cells of the person out.
  std::optional<FloorPerson> take_next() {
    size_t middle = q_.size();
    for (size_t k = 0; k < q_.size(); ++k)
      if (empty_[k] <= 1 - kPresent && (middle == q_.size() || near_[k] > near_[middle])) middle = k;
    if (middle == q_.size()) return {};
    FloorPerson person;
    person.confidence = 1 - empty_[middle];
    double sum = 0;
    for_each_around(middle, [&](size_t k, double) {
      sum += q_[k], person.x_m += q_[k] * x_of(k), person.y_m += q_[k] * y_of(k);
      q_[k] = 0;
    });
    person.x_m /= sum, person.y_m /= sum;
    for_each_around(middle, [&](size_t changed, double) {
      for_each_around(changed, [&](size_t k, double) { sum_around(k); });
    });
    return person;
  }

 private:
  struct Offset {
    int x, y;
    double weight;
  };

  template <typename Action>
  void for_each_around(size_t cell, Action&& action) const {
    const int x = static_cast<int>(cell) % cells_.nx, y = static_cast<int>(cell) / cells_.nx;
    for (const Offset& to : around_)
      if (const int u = x + to.x, v = y + to.y; u >= 0 && v >= 0 && u < cells_.nx && v < cells_.ny)
        action(static_cast<size_t>(u + cells_.nx * v), to.weight);
  }
  void sum_around(size_t cell) {
    double empty = 1, near = 0;
    for_each_around(cell, [&](size_t k, double weight) { empty *= 1 - q_[k], near += weight * q_[k]; });
    empty_[cell] = empty, near_[cell] = near;
  }
  double x_of(size_t cell) const {
    return cells_.left_m + (static_cast<double>(cell % static_cast<size_t>(cells_.nx)) + 0.5) * cells_.cell_m;
  }
  double y_of(size_t cell) const {
    return cells_.low_m + (static_cast<double>(cell / static_cast<size_t>(cells_.nx)) + 0.5) * cells_.cell_m;
  }

  const MarginalCells cells_;
  std::vector<double> q_;
  std::vector<Offset> around_;
  std::vector<double> empty_, near_;  // probability that no one stands around a cell; weighed sum of theirs
};

}  // namespace

std::vector<FloorPerson> probable_people(const MarginalCells& cells, const std::vector<double>& probability,
                                         double width_m, double separation_m) {
  Standing standing(cells, probability, std::max(width_m / 2, kNeighbours * cells.cell_m));
  std::vector<FloorPerson> people;
  while (const std::optional<FloorPerson> next = standing.take_next()) {
    const bool apart = std::all_of(people.begin(), people.end(), [&](const FloorPerson& one) {
      return std::hypot(one.x_m - next->x_m, one.y_m - next->y_m) >= separation_m;
    });
    if (apart) people.push_back(*next);
  }
  return people;
}

}  // namespace vantage
