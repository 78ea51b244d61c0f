#include "core/calibration/people/detail/floor_view.h"

#include <ceres/autodiff_cost_function.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/base/quantile.h"
#include "core/calibration/adjust/adjustment.h"

namespace vantage::footage_detail {

Eigen::Vector3d ray_of(const PictureSize& size, const FloorValues& values, double x_px, double y_px) {
  const FloorAxes<double> axes = axes_of(values.data());
  const double focal = std::exp(values[kLogFocal]) * size.longer();
  const double bent_u = ((x_px - (size.width_px - 1) / 2) - values[kCentreX] * size.longer()) / focal,
               bent_v = ((y_px - (size.height_px - 1) / 2) - values[kCentreY] * size.longer()) / focal;
  double u = bent_u, v = bent_v;
  for (int turn = 0; values[kBend] != 0 && turn < 4; ++turn) {
    const double bent = 1 + values[kBend] * std::min(u * u + v * v, kMaxRadius2);
    u = bent_u / bent, v = bent_v / bent;
  }
  Eigen::Vector3d ray;
  for (int i = 0; i < 3; ++i) ray[i] = u * axes.right[i] + v * axes.down[i] + axes.ahead[i];
  return ray;
}

namespace {

constexpr double kDegree = M_PI / 180;
constexpr double kMinRatio = 0.02, kMaxRatio = 0.98;  // of a person's height to the camera's
constexpr double kRatioStd = 0.07, kMaxMiss = 3;      // of people's ratios in the first search
constexpr size_t kMinComplete = 20, kMaxMarks = 600;
constexpr double kCell = 0.25;  // of a box's height: a person in the same cell of the picture counts once
constexpr double kViewLoss = 3;
// Errors are common to the boxes of a person, and of a part of the picture: so much of each counts.
constexpr double kIndependent = 0.25;

struct WeighedMark {
  BoxMark mark;
  size_t track;
  double weight;
};

// Boxes from head to feet, each stay of a person counted once.
std::vector<WeighedMark> complete_marks(const std::vector<PictureTrack>& tracks) {
  std::vector<WeighedMark> all;
  for (size_t t = 0; t < tracks.size(); ++t) {
    const auto cell = [&](const BoxMark& mark) {
      const double side = kCell * std::max(mark.height_px(), 8.0);
      return std::pair(std::lround(mark.middle_px / side), std::lround(mark.bottom_px / side));
    };
    std::map<std::pair<long, long>, int> counts;
    for (const BoxMark& mark : tracks[t].marks) ++counts[cell(mark)];
    for (const BoxMark& mark : tracks[t].marks)
      if (mark.top_std_px > 0 && mark.bottom_std_px > 0 && mark.middle_std_px > 0)
        all.push_back({mark, t, 1.0 / counts[cell(mark)]});
  }
  if (all.size() <= kMaxMarks) return all;
  std::vector<WeighedMark> chosen;
  const double more = static_cast<double>(all.size()) / kMaxMarks;
  for (size_t i = 0; i < kMaxMarks; ++i) {
    chosen.push_back(all[i * all.size() / kMaxMarks]);
    chosen.back().weight = std::min(1.0, more * chosen.back().weight);
  }
  return chosen;
}

// A person's height as a share of the camera's.
std::optional<double> height_ratio(const PictureSize& size, const FloorValues& values, const BoxMark& mark) {
  const Eigen::Vector3d feet = ray_of(size, values, mark.middle_px, mark.bottom_px),
                        head = ray_of(size, values, mark.middle_px, mark.top_px);
  if (!(feet.z() < -1e-3)) return {};
  const double distance = feet.head<2>().norm() / -feet.z();
  const double across = head.head<2>().norm();
  if (!(across > 1e-6)) return {};
  const double ratio = 1 + distance * head.z() / across;
  if (!(ratio > kMinRatio && ratio < kMaxRatio * 2)) return {};
  return ratio;
}

// How much the ratios scatter about their median; sets the camera's height.
double scatter_of_ratios(const PictureSize& size, const std::vector<WeighedMark>& marks, double mean_height_m,
                         FloorValues* values) {
  std::vector<double> ratios;
  std::vector<std::pair<double, double>> weighed;
  double misses = 0;
  for (const WeighedMark& one : marks) {
    const auto ratio = height_ratio(size, *values, one.mark);
    if (ratio)
      ratios.push_back(*ratio), weighed.emplace_back(*ratio, one.weight);
    else
      misses += one.weight * kMaxMiss * kMaxMiss;
  }
  if (ratios.size() < marks.size() / 3) return 1e12;
  const double middle = upper_median(std::move(ratios));
  (*values)[kHeight] = mean_height_m / middle;
  for (const auto& [ratio, weight] : weighed) {
    const double miss = std::min(std::abs(ratio / middle - 1) / kRatioStd, kMaxMiss);
    misses += weight * miss * miss;
  }
  const double height = std::log((*values)[kHeight] / kUsualHeight_m) / kLogHeightStd;
  const double roll = (*values)[kRoll] / kRollStd;
  return misses + height * height + roll * roll;
}

// The head that feet at a place have, compared with the one that is seen.
struct HeadAboveFeet {
  PictureSize size;
  BoxMark mark;

  template <typename T>
  bool operator()(const T* view, const T* height, T* residual) const {
    using std::exp;
    using std::sqrt;
    T values[kFloorValues] = {};
    values[kLogFocal] = view[0], values[kTilt] = view[1], values[kRoll] = view[2],
    values[kHeight] = exp(view[3]);
    const FloorAxes<T> axes = axes_of(values);
    const T focal = exp(values[kLogFocal]) * T(size.longer());
    const T u = (T(mark.middle_px) - T((size.width_px - 1) / 2)) / focal,
            v = (T(mark.bottom_px) - T((size.height_px - 1) / 2)) / focal;
    T ray[3];
    for (int i = 0; i < 3; ++i) ray[i] = u * axes.right[i] + v * axes.down[i] + axes.ahead[i];
    const double std_px = std::hypot(mark.top_std_px, mark.bottom_std_px);
    // Feet above the horizon are impossible, the more the higher.
    const T down = -ray[2] > T(0.01) ? T(-ray[2]) : T(0.01);
    const T across = sqrt(ray[0] * ray[0] + ray[1] * ray[1] + T(1e-9));
    const T distance = across / down * values[kHeight] + T(kFeetAhead_m);
    const FloorPixel<T> head =
        pixel_of(size, values, axes, T(ray[0] / across * distance), T(ray[1] / across * distance), height[0]);
    residual[0] = (head.y - T(mark.top_px)) / std_px;
    return true;
  }
};

struct ValueNear {
  double mean, std;
  template <typename T>
  bool operator()(const T* value, T* residual) const {
    residual[0] = (value[0] - T(mean)) / std;
    return true;
  }
};

struct ViewNear {
  template <typename T>
  bool operator()(const T* view, T* residual) const {
    residual[0] = (view[0] - T(kUsualLogFocal)) / kLogFocalStd;
    residual[1] = view[2] / kRollStd;
    residual[2] = (view[3] - T(std::log(kUsualHeight_m))) / kLogHeightStd;
    return true;
  }
};

// Improves a view; `focal`: its focal length, too.
void refine_view(const PictureSize& size, const std::vector<WeighedMark>& marks, const HeightPrior& prior,
                 bool focal, FloorView* view) {
  std::array<double, 4> values = {view->values[kLogFocal], view->values[kTilt], view->values[kRoll],
                                  std::log(view->values[kHeight])};
  Adjustment adjustment;
  std::vector<bool> shown(view->heights_m.size(), false);
  for (const WeighedMark& one : marks) {
    adjustment.add(new ceres::AutoDiffCostFunction<HeadAboveFeet, 1, 4, 1>(new HeadAboveFeet{size, one.mark}),
                   Loss{Loss::Kind::tukey, kViewLoss, kIndependent * one.weight},
                   {values.data(), &view->heights_m[one.track]});
    shown[one.track] = true;
  }
  for (size_t t = 0; t < shown.size(); ++t)
    if (shown[t])
      adjustment.add(
          new ceres::AutoDiffCostFunction<ValueNear, 1, 1>(new ValueNear{prior.mean_m, prior.std_m}), {},
          {&view->heights_m[t]});
  adjustment.add(new ceres::AutoDiffCostFunction<ViewNear, 3, 4>(new ViewNear), {}, {values.data()});
  adjustment.block("view", values, {focal, true, true, true});
  for (double& height_m : view->heights_m) adjustment.block("height", height_m, true);
  (void)adjustment.solve({Minimiser::Equations::sparse, 40, 1e-7, 1e-7, 1e-9});
  view->values[kLogFocal] = values[0], view->values[kTilt] = values[1], view->values[kRoll] = values[2];
  view->values[kHeight] = std::exp(std::min(values[3], 4.0));
  view->cost = adjustment.cost();
}

constexpr std::array<double, 9> kFocals = {0.42, 0.52, 0.64, 0.79, 0.97, 1.2, 1.48, 1.82, 2.25};
// Half-squares by which the views considered may be worse than the best one.
constexpr double kMaxWorse = 2.5;

FloorView view_at(const PictureSize& size, const std::vector<WeighedMark>& marks, size_t tracks,
                  const HeightPrior& prior, double focal) {
  FloorView best;
  double least = 1e300;
  for (double tilt = -5; tilt <= 75; tilt += 2.5)
    for (const double roll : {0.0, -5.0, 5.0}) {
      FloorValues values = {};
      values[kLogFocal] = std::log(focal), values[kTilt] = tilt * kDegree, values[kRoll] = roll * kDegree;
      const double its = scatter_of_ratios(size, marks, prior.mean_m, &values);
      if (its < least) least = its, best.values = values;
    }
  best.heights_m.assign(tracks, prior.mean_m);
  best.cost = 1e300;
  if (least < 1e11) refine_view(size, marks, prior, false, &best);
  return best;
}

}  // namespace

std::vector<FloorView> views_of(const PictureSize& size, const std::vector<PictureTrack>& tracks,
                                const HeightPrior& prior) {
  const std::vector<WeighedMark> marks = complete_marks(tracks);
  if (marks.size() < kMinComplete) return {};
  std::vector<FloorView> all;
  for (const double focal : kFocals) {
    FloorView view = view_at(size, marks, tracks.size(), prior, focal);
    if (view.cost < 1e200 && view.values[kHeight] > 0.3 && view.values[kHeight] < 40)
      all.push_back(std::move(view));
  }
  if (all.empty()) return {};
  FloorView best = *std::ranges::min_element(all, {}, &FloorView::cost);
  refine_view(size, marks, prior, true, &best);
  std::vector<FloorView> chosen = {best};
  // The shortest and the longest lens that people allow.
  for (const bool longest : {false, true}) {
    const FloorView* end = nullptr;
    for (const FloorView& view : all) {
      const double from_best = view.values[kLogFocal] - best.values[kLogFocal];
      if (view.cost < best.cost + kMaxWorse && std::abs(from_best) > 0.1 && (from_best > 0) == longest &&
          (!end || longest))
        end = &view;
    }
    if (end) chosen.push_back(*end);
  }
  return chosen;
}

std::optional<Eigen::Vector2d> plane_point(const PictureSize& size, const FloorValues& values, double x_px,
                                           double y_px, double z_m) {
  const Eigen::Vector3d ray = ray_of(size, values, x_px, y_px);
  const double above = values[kHeight] - z_m;
  if (!(std::abs(ray.z()) > 1e-6) || !(above / -ray.z() > 0)) return {};
  const double along = above / -ray.z();
  if (!(along * ray.norm() < 200)) return {};
  return Eigen::Vector2d(values[kX] + along * ray.x(), values[kY] + along * ray.y());
}

namespace {

constexpr double kFeetDisagree = 3;  // standard deviations of the feet from where the head has them
constexpr double kMaxPosition_m = 3;

// The position by those of the three that have a deviation.
std::optional<FloorPosition> fitted(const PictureSize& size, const FloorValues& values, const BoxMark& mark,
                                    double height_m, double height_std_m, Eigen::Vector2d at) {
  FloorPosition found{mark.time_s};
  for (int turn = 0; turn < 4; ++turn) {
    constexpr double kStep_m = 1e-3;
    const auto box = [&](double x, double y, double height) {
      const UprightBox<double> one = upright_box<double>(size, values.data(), x, y, height);
      return Eigen::Vector3d(one.top, one.bottom, one.middle);
    };
    const Eigen::Vector3d here = box(at.x(), at.y(), height_m);
    Eigen::Matrix<double, 3, 2> slopes;
    slopes.col(0) = (box(at.x() + kStep_m, at.y(), height_m) - here) / kStep_m;
    slopes.col(1) = (box(at.x(), at.y() + kStep_m, height_m) - here) / kStep_m;
    const double taller = (box(at.x(), at.y(), height_m + kStep_m) - here)[0] / kStep_m * height_std_m;
    const Eigen::Vector3d off(mark.top_px - here[0], mark.bottom_px - here[1], mark.middle_px - here[2]);
    Eigen::Vector3d weights = Eigen::Vector3d::Zero();
    if (mark.top_std_px > 0) weights[0] = 1 / (mark.top_std_px * mark.top_std_px + taller * taller);
    if (mark.bottom_std_px > 0) weights[1] = 1 / (mark.bottom_std_px * mark.bottom_std_px);
    if (mark.middle_std_px > 0) weights[2] = 1 / (mark.middle_std_px * mark.middle_std_px);
    const Eigen::Matrix2d normal = slopes.transpose() * weights.asDiagonal() * slopes;
    const Eigen::LLT<Eigen::Matrix2d> solved(normal);
    if (solved.info() != Eigen::Success || !(normal.determinant() > 1e-9)) return {};
    found.covariance = solved.solve(Eigen::Matrix2d::Identity());
    Eigen::Vector2d step = solved.solve(slopes.transpose() * weights.asDiagonal() * off);
    if (!step.allFinite()) return {};
    if (step.norm() > 2) step *= 2 / step.norm();
    at += step;
    if (step.norm() < 1e-3) break;
  }
  if (!(found.covariance.trace() < kMaxPosition_m * kMaxPosition_m)) return {};
  found.at_m = at;
  return found;
}

}  // namespace

std::optional<FloorPosition> position_of(const PictureSize& size, const FloorValues& values,
                                         const BoxMark& mark, double height_m, double height_std_m) {
  if (!(mark.middle_std_px > 0)) return {};
  const auto by_feet = mark.bottom_std_px > 0 ? plane_point(size, values, mark.middle_px, mark.bottom_px, 0)
                                              : std::optional<Eigen::Vector2d>();
  const auto by_head = mark.top_std_px > 0 && values[kHeight] > height_m + 0.1
                           ? plane_point(size, values, mark.middle_px, mark.top_px, height_m)
                           : std::optional<Eigen::Vector2d>();
  // Hidden feet leave a box that is too short: then the head alone counts.
  if (by_feet && mark.top_std_px > 0) {
    const UprightBox<double> whole =
        upright_box<double>(size, values.data(), by_feet->x(), by_feet->y(), height_m);
    const double std_px = std::hypot(std::hypot(mark.top_std_px, mark.bottom_std_px),
                                     height_std_m / height_m * mark.height_px());
    if (std::abs(whole.top - mark.top_px) < kFeetDisagree * std_px) {
      auto found = fitted(size, values, mark, height_m, height_std_m, *by_feet);
      if (found) found->feet = true;
      return found;
    }
    if (!by_head) return {};
    BoxMark without = mark;
    without.bottom_std_px = 0;
    return fitted(size, values, without, height_m, height_std_m, *by_head);
  }
  if (by_feet) {
    auto found = fitted(size, values, mark, height_m, height_std_m, *by_feet);
    if (found) found->feet = true;
    return found;
  }
  if (by_head) return fitted(size, values, mark, height_m, height_std_m, *by_head);
  return {};
}

}  // namespace vantage::footage_detail
