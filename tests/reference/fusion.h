// People from detections as core/fusion/fusion.h defines them, the slow and obvious way: every hypothesis is
// asked again, in double precision, each time anybody is added; boxes come from points of the body's outline
// projected one by one, and the best assignment from trying all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/fusion/fusion.h"

namespace vantage::reference {

struct FusedPlace {
  double x_m = 0, y_m = 0, height_m = 0;
};

class Fusion {
 public:
  Fusion(const FloorRectangle& floor, std::vector<PinholeCamera<double>> cameras,
         const FusionParameters& parameters)
      : floor_(floor), cameras_(std::move(cameras)), parameters_(parameters) {}

  std::vector<FusedPlace> find(const std::vector<CameraDetections>& detections,
                               const std::vector<MaskSamples>& masks = {},
                               const std::vector<std::vector<HeadBox>>& heads = {}) {
    seen_ = detections, masks_ = masks;
    free_heads_.assign(cameras_.size(), {});
    for (size_t c = 0; c < heads.size(); ++c)
      for (const HeadBox& head : heads[c])
        if (!in_a_box(c, head)) free_heads_[c].push_back(head);
    propose();
    people_.clear();
    for (int round = 0; round < 3; ++round) {
      const bool born = add();
      const bool gone = remove();
      if (!born || !gone) break;
    }
    std::vector<FusedPlace> places;
    for (const Body& person : people_) places.push_back(mean_around(person));
    std::sort(places.begin(), places.end(),
              [](const FusedPlace& a, const FusedPlace& b) { return a.x_m < b.x_m; });
    return places;
  }

 private:
  struct Rectangle {
    double left, top, right, bottom;
    bool empty() const { return !(right > left && bottom > top); }
  };
  struct View {
    Rectangle whole{}, cut{};
    double away = 0;
    bool seen = false;
  };
  struct Body {
    double x_m, y_m, height_m;
    std::vector<View> views;
  };
  using People = std::vector<Body>;
  static constexpr double kNothing = -std::numeric_limits<double>::infinity();

  Rectangle cut(const Rectangle& box, const PinholeCamera<double>& camera) const {
    const auto in = [](double v, double size) { return std::clamp(v, -0.5, size - 0.5); };
    return {in(box.left, camera.width_px), in(box.top, camera.height_px), in(box.right, camera.width_px),
            in(box.bottom, camera.height_px)};
  }

  View view(const PinholeCamera<double>& camera, double x, double y, double height) const {
    constexpr std::array<std::array<double, 2>, 4> rings = {
        {{0, 0.24}, {0.45, 0.24}, {0.8, 0.24}, {1, 0.108}}};
    const double inf = std::numeric_limits<double>::infinity();
    View view{{inf, inf, -inf, -inf}, {}, 0, false};
    for (const auto& [share, radius] : rings)
      for (int i = 0; i < 12; ++i) {
        const double angle = i * std::numbers::pi / 6;
        const auto pixel =
            project(camera, x + radius * std::cos(angle), y + radius * std::sin(angle), share * height);
        if (!pixel.in_front) return view;  // scenes of the test stay within the lens model
        view.whole.left = std::min(view.whole.left, pixel.x),
        view.whole.right = std::max(view.whole.right, pixel.x);
        view.whole.top = std::min(view.whole.top, pixel.y),
        view.whole.bottom = std::max(view.whole.bottom, pixel.y);
      }
    view.cut = cut(view.whole, camera);
    view.seen = !view.cut.empty();
    double squares = 0;
    for (int row = 0; row < 3; ++row) {
      const double* r = camera.rotation_cam_from_world + 3 * row;
      const double v = r[0] * x + r[1] * y + r[2] * height / 2 + camera.translation_cam_from_world_m[row];
      squares += v * v;
    }
    view.away = std::sqrt(squares);
    return view;
  }

  bool lit(size_t c, double x, double y) const {
    if (c >= masks_.size()) return false;
    const SampleGrid& grid = masks_[c].grid;
    const int column = static_cast<int>(std::floor(x / grid.step_x)),
              row = static_cast<int>(std::floor(y / grid.step_y));
    if (column < 0 || row < 0 || column >= grid.width || row >= grid.height) return false;
    return masks_[c].bits[row * grid.words + column / 64] >> (column % 64) & 1;
  }

  // Shares of the 4 x 8 points: visible, of the lower half those behind others, and of the visible those in
  // the mask.
  struct Shares {
    double visible = 0, hidden_below = 0, in_mask = 0;
  };
  Shares shares(const Body& body, size_t c, const People& others) const {
    const View& at = body.views[c];
    int visible = 0, hidden = 0, in_mask = 0;
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 4; ++column) {
        const double x = at.whole.left + (column + 0.5) / 4 * (at.whole.right - at.whole.left);
        const double y = at.whole.top + (row + 0.5) / 8 * (at.whole.bottom - at.whole.top);
        const auto in = [&](const Rectangle& r) {
          return x >= r.left && x < r.right && y >= r.top && y < r.bottom;
        };
        const bool covered = std::any_of(others.begin(), others.end(), [&](const Body& other) {
          return other.views[c].seen && other.views[c].away < at.away && in(other.views[c].whole);
        });
        visible += in(at.cut) && !covered;
        in_mask += in(at.cut) && !covered && lit(c, x, y);
        hidden += covered && row >= 4;
      }
    return {visible / 32.0, hidden / 16.0, visible > 0 ? static_cast<double>(in_mask) / visible : 0.0};
  }

  double of_detection(const Body& body, size_t c, const PersonDetection& one, double hidden_below) const {
    const View& at = body.views[c];
    if (one.score < parameters_.min_score || !at.seen) return kNothing;
    const Rectangle box =
        cut({one.left_px, one.top_px, one.left_px + one.width_px, one.top_px + one.height_px}, cameras_[c]);
    if (box.empty()) return kNothing;
    const double height = at.whole.bottom - at.whole.top;
    const double dx = (box.left + box.right - at.cut.left - at.cut.right) / 2 / height;
    const double top = (box.top - at.cut.top) / height, bottom = (box.bottom - at.cut.bottom) / height;
    if (std::abs(dx) > 0.27 || std::abs(top) > 0.235) return kNothing;
    const double width = std::log((box.right - box.left) / std::max(1.0, at.cut.right - at.cut.left));
    const double p = 0.15 + 0.75 * hidden_below;
    const double u = bottom <= 0 && bottom >= -0.65 ? 0.35 : 0;
    return kScore * std::clamp((one.score - 0.2) / 0.4, 0.0, 1.0) -
           (dx * dx / (0.07 * 0.07) + top * top / (0.06 * 0.06) + width * width / (kWidth * kWidth)) / 2 +
           std::log((1 - p) * std::exp(-bottom * bottom / (2 * kBottom * kBottom)) + p * u);
  }

  bool in_a_box(size_t c, const HeadBox& head) const {
    const double x = head.left_px + head.width_px / 2, y = head.top_px + head.height_px / 2;
    for (const PersonDetection& one : seen_[c].people) {
      const Rectangle box =
          cut({one.left_px, one.top_px, one.left_px + one.width_px, one.top_px + one.height_px}, cameras_[c]);
      const double height = box.bottom - box.top;
      if (one.score >= parameters_.min_score && x >= box.left && x <= box.right &&
          y >= box.top - 0.1 * height && y <= box.top + 0.33 * height)
        return true;
    }
    return false;
  }

  double of_head(const Body& body, size_t c, const HeadBox& head) const {
    const View& at = body.views[c];
    if (!at.seen) return kNothing;
    const double size = (at.cut.right - at.cut.left) / 2;
    const double dx = (head.left_px + head.width_px / 2 - (at.cut.left + at.cut.right) / 2) / size / 0.3;
    const double top = (head.top_px - at.cut.top) / size / 0.4;
    const double larger = std::log(head.height_px / size) / 0.3;
    return 2 - (dx * dx + top * top + larger * larger) / 2;
  }

  double of_nothing(const Shares& s) const {
    return std::log(1 - parameters_.detection_rate * std::clamp((s.visible - 0.25) / 0.45, 0.0, 1.0)) *
           (1 - std::clamp((s.in_mask - 0.15) / 0.2, 0.0, 1.0));
  }

  static double away(const Body& a, const Body& b) { return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m); }
  static double repulsion(double d) { return d < 0.6 ? 4 * (1 - d / 0.6) : 0; }
  double base(const Body& body) const {
    const double off = (body.height_m - 1.72) / 0.2;
    return -parameters_.person_cost - off * off / 2;
  }

  // What one camera says of each person and each detection, and of none in the last column.
  std::vector<std::vector<double>> table(size_t c, const People& people) const {
    std::vector<std::vector<double>> nats;
    for (size_t i = 0; i < people.size(); ++i) {
      People others = people;
      others.erase(others.begin() + static_cast<ptrdiff_t>(i));
      const Shares hidden = shares(people[i], c, others);
      nats.emplace_back();
      for (const PersonDetection& one : seen_[c].people)
        nats.back().push_back(of_detection(people[i], c, one, hidden.hidden_below));
      for (const HeadBox& head : free_heads_[c]) nats.back().push_back(of_head(people[i], c, head));
      nats.back().push_back(of_nothing(hidden));
    }
    return nats;
  }

  // The best of all assignments; `chosen`: the detection of each person, -1 none.
  double best_of(const std::vector<std::vector<double>>& nats, size_t person, std::vector<int>& chosen,
                 std::vector<int>* best) const {
    if (person == nats.size()) {
      *best = chosen;
      return 0;
    }
    double largest = kNothing;
    std::vector<int> winner;
    for (size_t d = 0; d < nats[person].size(); ++d) {
      const bool none = d + 1 == nats[person].size();
      if (nats[person][d] == kNothing) continue;
      const int mark = none ? -1 : static_cast<int>(d);
      if (!none && std::find(chosen.begin(), chosen.begin() + static_cast<ptrdiff_t>(person), mark) !=
                       chosen.begin() + static_cast<ptrdiff_t>(person))
        continue;
      chosen[person] = mark;
      std::vector<int> found;
      const double sum = nats[person][d] + best_of(nats, person + 1, chosen, &found);
      if (sum > largest) largest = sum, winner = found;
    }
    *best = winner;
    return largest;
  }

  struct Explained {
    double nats = 0;
    std::vector<std::vector<int>> chosen;  // by camera and person
  };
  Explained explain(const People& people) const {
    Explained all;
    for (size_t i = 0; i < people.size(); ++i) {
      all.nats += base(people[i]);
      for (size_t k = 0; k < i; ++k) all.nats -= repulsion(away(people[i], people[k]));
    }
    for (size_t c = 0; c < cameras_.size(); ++c) {
      std::vector<int> chosen(people.size()), best;
      if (seen_[c].known) all.nats += best_of(table(c, people), 0, chosen, &best);
      all.chosen.push_back(best);
    }
    return all;
  }

  // One more person beside `others`, who keep what they have.
  double score(const Body& body, const People& others, const Explained& taken) const {
    double sum = base(body);
    for (const Body& other : others) {
      if (away(body, other) < 0.3) return kNothing;
      sum -= repulsion(away(body, other));
    }
    for (size_t c = 0; c < cameras_.size(); ++c) {
      if (!seen_[c].known || !body.views[c].seen) continue;
      const Shares hidden = shares(body, c, others);
      double best = of_nothing(hidden);
      const size_t boxes = seen_[c].people.size();
      for (size_t d = 0; d < boxes + free_heads_[c].size(); ++d)
        if (taken.chosen[c].empty() || std::find(taken.chosen[c].begin(), taken.chosen[c].end(),
                                                 static_cast<int>(d)) == taken.chosen[c].end())
          best = std::max(best, d < boxes ? of_detection(body, c, seen_[c].people[d], hidden.hidden_below)
                                          : of_head(body, c, free_heads_[c][d - boxes]));
      sum += best;
    }
    return sum;
  }

  void propose() {
    bodies_.clear();
    for (double y = floor_.min_y_m + 0.05; y < floor_.max_y_m; y += 0.1)
      for (double x = floor_.min_x_m + 0.05; x < floor_.max_x_m; x += 0.1)
        for (const double height : PeopleFusion::kHeights_m) {
          Body body{x, y, height, {}};
          bool spoken_for = false;
          for (size_t c = 0; c < cameras_.size(); ++c) {
            body.views.push_back(view(cameras_[c], x, y, height));
            if (seen_[c].known)
              for (const PersonDetection& one : seen_[c].people)
                spoken_for |= of_detection(body, c, one, 0) > 0;
            if (seen_[c].known)
              for (const HeadBox& head : free_heads_[c]) spoken_for |= of_head(body, c, head) > 0;
          }
          if (spoken_for) bodies_.push_back(body);
        }
  }

  bool add() {
    bool added = false;
    std::vector<const Body*> refused;
    Explained present = explain(people_);
    while (refused.size() < 40) {
      const Body* best = nullptr;
      double largest = 0;
      for (const Body& body : bodies_) {
        if (std::any_of(refused.begin(), refused.end(), [&](const Body* r) { return away(*r, body) < 0.12; }))
          continue;
        const double its = score(body, people_, present);
        if (its > largest) best = &body, largest = its;
      }
      if (!best) break;
      People more = people_;
      more.push_back(*best);
      Explained with = explain(more);
      if (with.nats > present.nats) {
        people_ = more, present = with, added = true;
        refused.clear();
      } else {
        refused.push_back(best);
      }
    }
    return added;
  }

  bool remove() {
    bool removed = false;
    for (;;) {
      const double all = explain(people_).nats;
      size_t weakest = people_.size();
      double least = 0;
      for (size_t i = 0; i < people_.size(); ++i) {
        People fewer = people_;
        fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
        const double gain = all - explain(fewer).nats;
        if (weakest == people_.size() ? gain <= 0 : gain < least) weakest = i, least = gain;
      }
      if (weakest == people_.size()) return removed;
      people_.erase(people_.begin() + static_cast<ptrdiff_t>(weakest));
      removed = true;
    }
  }

  FusedPlace mean_around(const Body& person) const {
    People others;
    size_t number = 0;
    for (size_t i = 0; i < people_.size(); ++i) {
      if (away(people_[i], person) > 0)
        others.push_back(people_[i]);
      else
        number = i;
    }
    Explained taken = explain(people_);
    for (auto& chosen : taken.chosen)
      if (!chosen.empty()) chosen[number] = -1;
    double all = 0;
    FusedPlace mean;
    const double its = score(person, others, taken);
    for (const Body& body : bodies_) {
      if (away(body, person) > 0.45) continue;
      const double weight = std::exp(score(body, others, taken) - its);
      all += weight;
      mean.x_m += weight * body.x_m, mean.y_m += weight * body.y_m, mean.height_m += weight * body.height_m;
    }
    mean.x_m /= all, mean.y_m /= all, mean.height_m /= all;
    return mean;
  }

  static constexpr double kScore = 5, kWidth = 0.35, kBottom = 0.08;
  FloorRectangle floor_;
  std::vector<PinholeCamera<double>> cameras_;
  FusionParameters parameters_;
  std::vector<CameraDetections> seen_;
  std::vector<MaskSamples> masks_;
  std::vector<std::vector<HeadBox>> free_heads_;  // that no box has
  std::vector<Body> bodies_;
  People people_;
};

}  // namespace vantage::reference
