#include "core/people/occupancy/marginals.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace vantage {
namespace {

using marginals::kMin;

// One camera's part of an iteration.
class View {
 public:
  explicit View(const MarginalView& view)
      : mask_(view.mask),
        rectangles_(view.rectangles),
        stride_(static_cast<size_t>(mask_.width) + 1),
        empty_(stride_ * (static_cast<size_t>(mask_.height) + 1)),
        signed_empty_(empty_.size()),
        log_empty_(empty_.size()),
        column_(stride_) {
    for (int y = 0; y < mask_.height; ++y)
      for (int x = 0; x < mask_.width; ++x) background_ += mask_.at(x, y) == 0;
  }

  // For each cell psi with a person there minus psi without; 0 where the camera does not see it.
  // `logs`: of 1 - q, in kLogUnit.
  const std::vector<double>& differences(const std::vector<double>& q, const std::vector<double>& logs,
                                         double sigma) {
    draw(logs);
    differences_.assign(q.size(), 0.0);
    const double area = static_cast<double>(mask_.width) * mask_.height;
    const double empty = empty_.back(), signed_empty = signed_empty_.back();
    for (size_t k = 0; k < q.size(); ++k) {
      const BodyRectangle& r = rectangles_[k];
      if (r.empty()) continue;
      const double e = sum_of(empty_, r), s = sum_of(signed_empty_, r), without = 1 / (1 - q[k]);
      const double full_there = area - empty + e, full_without = area - empty + e - e * without;
      const double wrong_there = background_ + signed_empty - s,
                   wrong_without = background_ + signed_empty - s + s * without;
      differences_[k] =
          (wrong_there / std::max(full_there, 1.0) - wrong_without / std::max(full_without, 1.0)) / sigma;
    }
    return differences_;
  }

 private:
  // The integral images of 1 - A and (2 B - 1)(1 - A): entry (x, y) over the pixels before x and y.
  void draw(const std::vector<double>& logs) {
    std::fill(log_empty_.begin(), log_empty_.end(), 0.0);
    for (size_t k = 0; k < logs.size(); ++k) {
      const BodyRectangle& r = rectangles_[k];
      if (r.empty()) continue;
      const double l = logs[k];
      log_empty_[at(r.x0, r.y0)] += l, log_empty_[at(r.x1, r.y1)] += l;
      log_empty_[at(r.x1, r.y0)] -= l, log_empty_[at(r.x0, r.y1)] -= l;
    }
    std::fill(column_.begin(), column_.end(), 0.0);
    for (int y = 0; y < mask_.height; ++y) {
      double log_here = 0, empty_row = 0, signed_row = 0;
      for (int x = 0; x < mask_.width; ++x) {
        column_[x] += log_empty_[at(x, y)];
        log_here += column_[x];
        const double here = std::exp(log_here * marginals::kLogUnit);
        empty_row += here;
        signed_row += mask_.at(x, y) ? here : -here;
        empty_[at(x + 1, y + 1)] = empty_[at(x + 1, y)] + empty_row;
        signed_empty_[at(x + 1, y + 1)] = signed_empty_[at(x + 1, y)] + signed_row;
      }
    }
  }

  size_t at(int x, int y) const { return static_cast<size_t>(y) * stride_ + static_cast<size_t>(x); }
  double sum_of(const std::vector<double>& sums, const BodyRectangle& r) const {
    return sums[at(r.x1, r.y1)] - sums[at(r.x0, r.y1)] - sums[at(r.x1, r.y0)] + sums[at(r.x0, r.y0)];
  }

  const ImageView<const uint8_t> mask_;
  const std::span<const BodyRectangle> rectangles_;
  const size_t stride_;
  double background_ = 0;  // pixels
  std::vector<double> empty_, signed_empty_, differences_;
  std::vector<double> log_empty_,
      column_;  // differences of log(1 - A), and their sums along columns; kLogUnit
};

}  // namespace

std::vector<BodyRectangle> body_rectangles(const PinholeCamera<double>& camera, const MarginalCells& cells,
                                           int width, int height, const MarginalParameters& p) {
  constexpr int kAround = 8;
  const double scale_x = static_cast<double>(width) / camera.width_px,
               scale_y = static_cast<double>(height) / camera.height_px;
  std::vector<BodyRectangle> rectangles;
  for (int cy = 0; cy < cells.ny; ++cy)
    for (int cx = 0; cx < cells.nx; ++cx) {
      double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
      bool in_front = true;
      for (int i = 0; i < 2 * kAround; ++i) {
        const double angle = 2 * std::numbers::pi * (i % kAround) / kAround;
        const Pixel<double> pixel =
            project(camera, cells.left_m + (cx + 0.5) * cells.cell_m + p.width_m / 2 * std::cos(angle),
                    cells.low_m + (cy + 0.5) * cells.cell_m + p.width_m / 2 * std::sin(angle),
                    i < kAround ? 0 : p.height_m);
        in_front = in_front && pixel.in_front;
        const double x = (pixel.x + 0.5) * scale_x, y = (pixel.y + 0.5) * scale_y;
        x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
      }
      BodyRectangle r;
      if (in_front) {
        const auto cut = [](double value, int max) {
          return static_cast<int>(std::lround(std::clamp(value, 0.0, static_cast<double>(max))));
        };
        r = {cut(x0, width), cut(y0, height), cut(x1, width), cut(y1, height)};
        if (2.0 * (r.x1 - r.x0) * (r.y1 - r.y0) < (x1 - x0) * (y1 - y0)) r = {};
      }
      rectangles.push_back(r);
    }
  return rectangles;
}

Marginals occupancy_marginals(std::span<const MarginalView> views, size_t cells,
                              const MarginalParameters& p) {
  std::vector<View> cameras;
  for (const MarginalView& view : views)
    if (view.mask.data) cameras.emplace_back(view);
  std::vector<bool> seen(cells);
  for (const MarginalView& view : views)
    for (size_t k = 0; view.mask.data && k < cells; ++k) seen[k] = seen[k] || !view.rectangles[k].empty();
  Marginals result{std::vector<double>(cells, p.prior)};
  std::vector<double>& q = result.probability;
  std::vector<double> logs(cells);
  const double against = std::log((1 - p.prior) / p.prior);
  for (double moved = 1; result.iterations < p.iterations && moved > Marginals::kStill; ++result.iterations) {
    std::vector<const std::vector<double>*> evidence(cameras.size());
    for (size_t k = 0; k < cells; ++k) logs[k] = std::rint(std::log1p(-q[k]) / marginals::kLogUnit);
    tbb::parallel_for(size_t{0}, cameras.size(),
                      [&](size_t c) { evidence[c] = &cameras[c].differences(q, logs, p.sigma); });
    moved = 0;
    for (size_t k = 0; k < cells; ++k) {
      if (!seen[k]) continue;
      double sum = against;
      for (const std::vector<double>* camera : evidence) sum += (*camera)[k];
      const double wanted =
          1 / (1 + std::exp(std::clamp(sum, -marginals::kMaxEvidence, marginals::kMaxEvidence)));
      const double next = std::clamp(q[k] + p.step * (wanted - q[k]), kMin, 1 - kMin);
      moved = std::max(moved, std::abs(next - q[k]));
      q[k] = next;
    }
  }
  return result;
}

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
