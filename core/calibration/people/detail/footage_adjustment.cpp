#include "core/calibration/people/detail/footage_adjustment.h"

#include <ceres/autodiff_cost_function.h>
#include <ceres/jet.h>
#include <ceres/sized_cost_function.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "core/calibration/adjust/adjustment.h"
#include "core/calibration/adjust/uncertainty.h"

namespace vantage::footage_detail {
namespace {

constexpr double kCompareStep_s = 0.25, kMinCommonShare = 0.7;
constexpr int kMinCommon = 4;
constexpr double kMaxOverlap_s = 0.35;  // of two tracks of a camera that are one person's

struct TrackPositions {
  std::vector<FloorPosition> positions;  // in the world, by the camera's own time
  std::optional<FloorPosition> at(double time_s) const {
    const auto next = std::ranges::lower_bound(positions, time_s, {}, &FloorPosition::time_s);
    if (next == positions.end() || next == positions.begin()) return {};
    const FloorPosition &a = *(next - 1), &b = *next;
    if (b.time_s - a.time_s > 0.75) return {};
    const double share = (time_s - a.time_s) / std::max(b.time_s - a.time_s, 1e-9);
    FloorPosition point = a;
    point.at_m = (1 - share) * a.at_m + share * b.at_m;
    return point;
  }
};

std::vector<std::vector<TrackPositions>> positions_of(const FootageProblem& problem,
                                                      const std::vector<std::vector<double>>& heights) {
  std::vector<std::vector<TrackPositions>> all(problem.values.size());
  for (size_t c = 0; c < all.size(); ++c) {
    all[c].resize(problem.tracks[c]->size());
    if (!problem.placed[c]) continue;
    for (size_t t = 0; t < all[c].size(); ++t)
      for (const BoxMark& mark : (*problem.tracks[c])[t].marks)
        if (const auto at = position_of(problem.sizes[c], problem.values[c], mark, heights[c][t], 0.05))
          all[c][t].positions.push_back(*at);
  }
  return all;
}

class Groups {
 public:
  explicit Groups(size_t count) : of_(count) { std::iota(of_.begin(), of_.end(), size_t{0}); }
  size_t of(size_t i) const { return of_[i]; }
  void join(size_t a, size_t b) {
    const size_t from = of_[b], to = of_[a];
    std::ranges::replace(of_, from, to);
  }

 private:
  std::vector<size_t> of_;
};

}  // namespace

std::vector<FootagePerson> people_together(const FootageProblem& problem, double reach_m,
                                           const std::vector<std::vector<double>>& heights) {
  const auto positions = positions_of(problem, heights);
  struct Link {
    size_t a, b;
    int common;
  };
  std::vector<TrackOf> all;
  for (size_t c = 0; c < positions.size(); ++c)
    for (size_t t = 0; t < positions[c].size(); ++t)
      if (positions[c][t].positions.size() >= 3) all.push_back({c, t});
  std::vector<Link> links;
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const auto [a, in_a] = all[i];
      const auto [b, in_b] = all[j];
      if (a == b) continue;
      const TrackPositions &of_a = positions[a][in_a], &of_b = positions[b][in_b];
      const double later = problem.values[a][kClock] - problem.values[b][kClock];
      const double begin = std::max(of_a.positions.front().time_s, of_b.positions.front().time_s - later),
                   end = std::min(of_a.positions.back().time_s, of_b.positions.back().time_s - later);
      int common = 0, near = 0;
      for (double time_s = begin; time_s <= end; time_s += kCompareStep_s) {
        const auto x = of_a.at(time_s), y = of_b.at(time_s + later);
        if (!x || !y) continue;
        ++common;
        const double sigma = std::sqrt((x->covariance.trace() + y->covariance.trace()) / 2);
        near += (x->at_m - y->at_m).norm() < reach_m + std::min(1.5 * sigma, reach_m);
      }
      if (common >= kMinCommon && near > kMinCommonShare * common) links.push_back({i, j, near});
    }
  std::ranges::stable_sort(links, [](const Link& x, const Link& y) { return x.common > y.common; });
  Groups groups(all.size());
  const auto span = [&](const TrackOf& one) {
    const PictureTrack& track = (*problem.tracks[one.camera])[one.track];
    return std::pair(track.begin_s(), track.end_s());
  };
  for (const Link& link : links) {
    if (groups.of(link.a) == groups.of(link.b)) continue;
    bool contradict = false;
    for (size_t i = 0; i < all.size() && !contradict; ++i)
      for (size_t j = 0; groups.of(i) == groups.of(link.a) && j < all.size(); ++j)
        if (groups.of(j) == groups.of(link.b) && all[i].camera == all[j].camera) {
          const auto [begin, end] = span(all[i]);
          const auto [its_begin, its_end] = span(all[j]);
          contradict = contradict || std::min(end, its_end) - std::max(begin, its_begin) > kMaxOverlap_s;
        }
    if (!contradict) groups.join(link.a, link.b);
  }
  std::map<size_t, FootagePerson> people;
  for (size_t i = 0; i < all.size(); ++i) people[groups.of(i)].tracks.push_back(all[i]);
  std::vector<FootagePerson> shared;
  for (auto& [group, person] : people) {
    const size_t camera = person.tracks.front().camera;
    if (std::ranges::all_of(person.tracks, [&](const TrackOf& one) { return one.camera == camera; }))
      continue;
    std::vector<double> its;
    for (const TrackOf& one : person.tracks) its.push_back(heights[one.camera][one.track]);
    person.height_m = std::clamp(upper_median(std::move(its)), 1.2, 2.1);
    shared.push_back(std::move(person));
  }
  return shared;
}

namespace {

// Paths are uniform cubic splines (C. de Boor, "A Practical Guide to Splines", 1978).
constexpr double kKnots_s = 0.4;
constexpr double kMaxBend_m_per_s2 = 1.5;  // standard deviation of accelerations
constexpr double kMaxSilence_s = 1.2;      // a path ends where no one shows it for longer
constexpr double kPlaceSide_m = 0.25;      // people at the same position count once
constexpr double kBoxLoss = 3.5;

using Point = std::array<double, 2>;

struct SplinePath {
  double begin_s = 0;
  std::vector<Point> points;
};

// A box by its camera, by the four points of the spline around it, and by the person's height: top, middle,
// bottom. Slopes of the box are by jets of what it is made of; those of the spline follow.
class BoxError final : public ceres::SizedCostFunction<3, kFloorValues, 2, 2, 2, 2, 1> {
 public:
  // `before_s`: world time of the interval's beginning.
  BoxError(const PictureSize& size, const BoxMark& mark, bool feet, double before_s, double widened)
      : size_(size), mark_(mark), before_s_(before_s) {
    const std::array<double, 3> stds = {mark.top_std_px, mark.middle_std_px, feet ? mark.bottom_std_px : 0};
    for (int i = 0; i < 3; ++i) weights_[i] = stds[i] > 0 ? 1 / (widened * stds[i]) : 0;
  }

  bool Evaluate(double const* const* blocks, double* residuals, double** slopes) const override {
    const double u = (mark_.time_s - before_s_ + blocks[0][kClock]) / kKnots_s;
    const double v = 1 - u, u2 = u * u;
    const double by[4] = {v * v * v / 6, (4 - 6 * u2 + 3 * u2 * u) / 6, (1 + 3 * u + 3 * u2 - 3 * u2 * u) / 6,
                          u2 * u / 6};
    const double speed[4] = {-v * v / 2, (3 * u2 - 4 * u) / 2, (1 + 2 * u - 3 * u2) / 2, u2 / 2};
    double x = 0, y = 0, speed_x = 0, speed_y = 0;
    for (int k = 0; k < 4; ++k) {
      x += by[k] * blocks[1 + k][0], y += by[k] * blocks[1 + k][1];
      speed_x += speed[k] / kKnots_s * blocks[1 + k][0], speed_y += speed[k] / kKnots_s * blocks[1 + k][1];
    }
    if (!slopes) {
      const UprightBox<double> box = upright_box(size_, blocks[0], x, y, blocks[5][0]);
      const double its[3] = {box.top - mark_.top_px, box.middle - mark_.middle_px,
                             box.bottom - mark_.bottom_px};
      for (int i = 0; i < 3; ++i) residuals[i] = weights_[i] * its[i];
      return true;
    }
    using Jet = ceres::Jet<double, kClock + 3>;  // the camera without its delay, x, y, height
    Jet values[kFloorValues];
    for (int i = 0; i < kClock; ++i) values[i] = Jet(blocks[0][i], i);
    const UprightBox<Jet> box =
        upright_box(size_, values, Jet(x, kClock), Jet(y, kClock + 1), Jet(blocks[5][0], kClock + 2));
    const Jet* const its[3] = {&box.top, &box.middle, &box.bottom};
    const double seen[3] = {mark_.top_px, mark_.middle_px, mark_.bottom_px};
    for (int i = 0; i < 3; ++i) {
      residuals[i] = weights_[i] * (its[i]->a - seen[i]);
      const auto& slope = its[i]->v;
      if (slopes[0]) {
        for (int j = 0; j < kClock; ++j) slopes[0][kFloorValues * i + j] = weights_[i] * slope[j];
        slopes[0][kFloorValues * i + kClock] =
            weights_[i] * (slope[kClock] * speed_x + slope[kClock + 1] * speed_y);
      }
      for (int k = 0; k < 4; ++k)
        for (int j = 0; slopes[1 + k] && j < 2; ++j)
          slopes[1 + k][2 * i + j] = weights_[i] * by[k] * slope[kClock + j];
      if (slopes[5]) slopes[5][i] = weights_[i] * slope[kClock + 2];
    }
    return true;
  }

 private:
  PictureSize size_;
  BoxMark mark_;
  double before_s_;
  std::array<double, 3> weights_;
};

// In heights of the person: people who walk straight say nothing about the scale.
struct BendError {
  template <typename T>
  bool operator()(const T* a, const T* b, const T* c, const T* height, T* residual) const {
    constexpr double kUsual_m = kKnots_s * kKnots_s * kMaxBend_m_per_s2 / kAdultHeight_m;
    for (int i = 0; i < 2; ++i) residual[i] = (a[i] - T(2) * b[i] + c[i]) / (T(kUsual_m) * height[0]);
    return true;
  }
};

struct UsualCamera {
  template <typename T>
  bool operator()(const T* values, T* residual) const {
    residual[0] = (values[kLogFocal] - T(kUsualLogFocal)) / kLogFocalStd;
    residual[1] = values[kRoll] / kRollStd;
    residual[2] = values[kCentreX] / kCentreStd;
    residual[3] = values[kCentreY] / kCentreStd;
    residual[4] = (values[kBend] - T(kUsualBend)) / kBendStd;
    return true;
  }
};

struct UsualHeight {
  HeightPrior prior;
  template <typename T>
  bool operator()(const T* height, T* residual) const {
    residual[0] = (height[0] - T(prior.mean_m)) / prior.std_m;
    return true;
  }
};

struct UsedMark {
  size_t camera;
  const BoxMark* mark;
  double time_s;  // of the world
  Eigen::Vector2d at_m;
  bool feet = false;
  double weight = 1;
};

// The person's marks in the order of time, at least `apart_s` apart in each camera.
std::vector<UsedMark> marks_of(const FootageProblem& problem, const FootagePerson& person, double apart_s) {
  std::vector<UsedMark> used;
  for (const TrackOf& one : person.tracks) {
    double last_s = -1e300;
    for (const BoxMark& mark : (*problem.tracks[one.camera])[one.track].marks) {
      if (mark.time_s - last_s < apart_s) continue;
      const FloorValues& values = problem.values[one.camera];
      const auto at = position_of(problem.sizes[one.camera], values, mark, person.height_m, 0.05);
      if (!at) continue;
      last_s = mark.time_s;
      used.push_back({one.camera, &mark, mark.time_s + values[kClock], at->at_m, at->feet});
    }
  }
  std::map<std::tuple<size_t, long, long>, int> places;
  const auto place = [](const UsedMark& one) {
    return std::tuple(one.camera, std::lround(one.at_m.x() / kPlaceSide_m),
                      std::lround(one.at_m.y() / kPlaceSide_m));
  };
  for (const UsedMark& one : used) ++places[place(one)];
  for (UsedMark& one : used) one.weight = 1.0 / places[place(one)];
  std::ranges::stable_sort(used, {}, &UsedMark::time_s);
  return used;
}

SplinePath spline_through(const std::vector<UsedMark>& marks) {
  SplinePath path;
  path.begin_s = marks.front().time_s;
  const auto count = static_cast<size_t>(std::floor((marks.back().time_s - path.begin_s) / kKnots_s)) + 4;
  for (size_t k = 0; k < count; ++k) {
    const double at_s = path.begin_s + (static_cast<double>(k) - 1) * kKnots_s;
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    double weights = 0;
    for (const UsedMark& one : marks) {
      const double off = (one.time_s - at_s) / (0.6 * kKnots_s);
      const double weight = std::exp(-0.5 * std::min(off * off, 200.0)) + 1e-60 / (1 + off * off);
      sum += weight * one.at_m, weights += weight;
    }
    sum /= weights;
    path.points.push_back({sum.x(), sum.y()});
  }
  return path;
}

// Which values of a camera are free; the first one keeps the gauge. People hardly tell the principal point
// from the direction: it counts in the uncertainty alone.
std::array<bool, kFloorValues> free_of(bool first, bool centres) {
  std::array<bool, kFloorValues> free;
  free.fill(true);
  free[kCentreX] = free[kCentreY] = centres;
  if (first) free[kYaw] = free[kX] = free[kY] = free[kClock] = false;
  return free;
}

}  // namespace

void add_usual_cameras(FootageProblem* problem, const std::vector<int64_t>& marks, Adjustment* adjustment) {
  for (size_t c = 0; c < problem->values.size(); ++c)
    if (problem->placed[c] && marks[c] > 0)
      adjustment->add(new ceres::AutoDiffCostFunction<UsualCamera, 5, kFloorValues>(new UsualCamera), {},
                      {problem->values[c].data()});
}

void free_cameras(FootageProblem* problem, const std::vector<int64_t>& marks, bool centres,
                  Adjustment* adjustment) {
  bool first = true;
  for (size_t c = 0; c < problem->values.size(); ++c) {
    if (!problem->placed[c] || marks[c] == 0) continue;
    adjustment->block("camera", problem->values[c], free_of(first, centres));
    first = false;
  }
}

Eigen::MatrixXd placed_covariance(const FootageProblem& problem, const std::vector<int64_t>& marks,
                                  const Eigen::MatrixXd& of_free) {
  std::vector<Eigen::Index> place;
  bool first = true;
  Eigen::Index count = 0;
  for (size_t c = 0; c < problem.values.size(); ++c) {
    if (!problem.placed[c]) continue;
    const std::array<bool, kFloorValues> free = free_of(first, true);
    for (int value = 0; marks[c] > 0 && value < kFloorValues; ++value)
      if (free[value]) place.push_back(count + value);
    first = first && marks[c] == 0;
    count += kFloorValues;
  }
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(count, count);
  if (static_cast<Eigen::Index>(place.size()) == of_free.rows())
    for (size_t i = 0; i < place.size(); ++i)
      for (size_t j = 0; j < place.size(); ++j)
        covariance(place[i], place[j]) = of_free(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  return covariance;
}

Result<AdjustmentOutcome> adjust_footage(FootageProblem* problem, std::vector<FootagePerson>* people,
                                         const AdjustmentOptions& options, const StopSource& stop) {
  const size_t cameras = problem->values.size();
  size_t all = 0;
  for (const FootagePerson& person : *people)
    for (const TrackOf& one : person.tracks) all += (*problem->tracks[one.camera])[one.track].marks.size();
  const double apart_s =
      0.19 * std::max(1.0, static_cast<double>(all) * 0.5 / static_cast<double>(options.max_marks));

  AdjustmentOutcome outcome;
  outcome.begin_s = 1e300, outcome.end_s = -1e300;
  outcome.marks.assign(cameras, 0);
  std::vector<std::pair<size_t, std::vector<UsedMark>>> pieces;  // by person
  for (size_t p = 0; p < people->size(); ++p) {
    std::vector<UsedMark> piece;
    for (const UsedMark& one : marks_of(*problem, (*people)[p], apart_s)) {
      outcome.begin_s = std::min(outcome.begin_s, one.time_s);
      outcome.end_s = std::max(outcome.end_s, one.time_s);
      if (options.leave_out && options.leave_out(one.time_s)) continue;
      if (!piece.empty() && one.time_s - piece.back().time_s > kMaxSilence_s)
        pieces.emplace_back(p, std::move(piece)), piece.clear();
      piece.push_back(one);
    }
    if (!piece.empty()) pieces.emplace_back(p, std::move(piece));
  }
  std::erase_if(pieces, [](const auto& piece) { return piece.second.size() < 4; });
  if (pieces.empty())
    return fail(ErrorKind::bad_data, "no person is seen by two cameras at once", "calibration");
  std::vector<SplinePath> paths;
  for (const auto& [person, marks] : pieces) paths.push_back(spline_through(marks));

  Adjustment adjustment;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto& [person, marks] = pieces[i];
    SplinePath& path = paths[i];
    double* height = &(*people)[person].height_m;
    for (const UsedMark& one : marks) {
      const auto k = std::min(static_cast<size_t>(std::max(0.0, (one.time_s - path.begin_s) / kKnots_s)),
                              path.points.size() - 4);
      auto* error = new BoxError(problem->sizes[one.camera], *one.mark, one.feet,
                                 path.begin_s + static_cast<double>(k) * kKnots_s, options.widened);
      const Loss loss{Loss::Kind::tukey, kBoxLoss, one.weight};
      const std::vector<double*> blocks = {problem->values[one.camera].data(), path.points[k].data(),
                                           path.points[k + 1].data(),          path.points[k + 2].data(),
                                           path.points[k + 3].data(),          height};
      adjustment.add(error, loss, blocks);
      ++outcome.marks[one.camera];
    }
    for (size_t k = 0; k + 2 < path.points.size(); ++k)
      adjustment.add(new ceres::AutoDiffCostFunction<BendError, 2, 2, 2, 2, 1>(new BendError), {},
                     {path.points[k].data(), path.points[k + 1].data(), path.points[k + 2].data(), height});
  }
  std::vector<bool> in_use(people->size(), false);
  for (const auto& [person, marks] : pieces) in_use[person] = true;
  for (size_t p = 0; p < people->size(); ++p)
    if (in_use[p])
      adjustment.add(new ceres::AutoDiffCostFunction<UsualHeight, 1, 1>(new UsualHeight{problem->prior}), {},
                     {&(*people)[p].height_m});
  add_usual_cameras(problem, outcome.marks, &adjustment);
  free_cameras(problem, outcome.marks, options.covariance, &adjustment);
  const int columns = adjustment.columns();
  for (SplinePath& path : paths)
    for (Point& point : path.points) adjustment.block("path", point, true);
  for (size_t p = 0; p < people->size(); ++p)
    if (in_use[p]) adjustment.block("height", (*people)[p].height_m, true);
  if (!options.covariance)
    VANTAGE_TRY(
        adjustment.solve({Minimiser::Equations::sparse, options.max_iterations, 1e-6, 1e-7, 1e-9}, {}, stop));
  if (options.covariance) {
    VANTAGE_ASSIGN(const Eigen::MatrixXd found, adjustment.covariance(columns));
    outcome.covariance = placed_covariance(*problem, outcome.marks, found);
  }
  return outcome;
}

}  // namespace vantage::footage_detail
