#include "core/calibration/people/detail/footage_joints.h"

#include <ceres/autodiff_cost_function.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/quantile.h"
#include "core/calibration/adjust/adjustment.h"
#include "core/calibration/adjust/uncertainty.h"
#include "core/calibration/people/detail/people_footage.h"
#include "core/detections/skeletons.h"

namespace vantage::footage_detail {
namespace {

constexpr float kMinScore = 0.2F;
constexpr size_t kMinMarksWithJoints = 40;
constexpr double kJointsOfMark = 4;  // a person's joints count as so many boxes
constexpr double kInstant_s = 0.4;   // between two instants of a person
constexpr double kMotion_s = 0.2;    // of a joint before and after an instant, which its position there is by
constexpr int kMinPositions = 4;
constexpr double kJointLoss = 3;
// Noise of a joint until it is measured: in heights of the person, and in pixels.
constexpr double kNoiseShare = 0.02, kNoisePixel = 1;
constexpr double kLeastNoise = 0.05;  // of that
// Misses of other people's joints, and of one's own at another time, in deviations; the share of a person's
// joints that are independent of each other, and of those just before.
constexpr double kChance = 4.5, kIndependentJoints = 0.1;
constexpr size_t kMinResiduals = 60, kMinLengths = 10;
constexpr double kDistanceStd = 0.01;
constexpr double kLimbStd_m = 0.02;  // joints are no points
constexpr double kShareStd = 0.03;   // of a joint's height, in heights of the person, about the usual one
constexpr double kSwayStd_m = 0.04;  // of a joint's height while people walk

using Place = std::array<double, 3>;

// A joint in a picture at an instant: where it is, and where it moves.
struct SeenJoint {
  size_t camera;
  double clock_s;                       // of the camera, for which it is
  double x_px, y_px, speed_x, speed_y;  // pixels/s
  double person_px;                     // the person's height
  double score;
};

struct JointPoint {
  size_t person, instant;
  const Skeleton* layout;
  std::string_view joint;
  Place at_m{};
  std::vector<SeenJoint> seen;
  double weight = 1;
};

// "knee" of "left_knee".
std::string_view either_side(std::string_view joint) {
  for (const std::string_view side : {"left_", "right_"})
    if (joint.starts_with(side)) return joint.substr(side.size());
  return joint;
}

// The joint's position at a time, by a parabola through those around it.
std::optional<SeenJoint> seen_at(const PictureTrack& track, size_t joint, double own_s) {
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Matrix<double, 3, 2> right = Eigen::Matrix<double, 3, 2>::Zero();
  double score = 0, height_px = 0;
  int before = 0, after = 0;
  const auto first = std::ranges::lower_bound(track.marks, own_s - kMotion_s, {}, &BoxMark::time_s);
  for (auto mark = first; mark != track.marks.end() && mark->time_s <= own_s + kMotion_s; ++mark) {
    const std::vector<Keypoint>& joints = track.joints[static_cast<size_t>(mark - track.marks.begin())];
    if (joint >= joints.size() || joints[joint].score < kMinScore) continue;
    const Keypoint& its = joints[joint];
    const double s = (mark->time_s - own_s) / kMotion_s;
    const Eigen::Vector3d powers(1, s, s * s);
    normal += its.score * powers * powers.transpose();
    right += its.score * powers * Eigen::RowVector2d(its.x_px, its.y_px);
    score += its.score, height_px += its.score * mark->height_px();
    (mark->time_s <= own_s ? before : after) += 1;
  }
  if (before == 0 || after == 0 || before + after < kMinPositions) return {};
  const Eigen::Matrix<double, 3, 2> fit = normal.ldlt().solve(right);
  if (!fit.allFinite()) return {};
  return SeenJoint{0,
                   0,
                   fit(0, 0),
                   fit(0, 1),
                   fit(1, 0) / kMotion_s,
                   fit(1, 1) / kMotion_s,
                   height_px / score,
                   score / (before + after)};
}

struct JointError {
  PictureSize size;
  SeenJoint seen;
  double std_px;

  template <typename T>
  bool operator()(const T* values, const T* at, T* residual) const {
    const FloorPixel<T> pixel = pixel_of(size, values, axes_of(values), at[0], at[1], at[2]);
    // A later clock shows what was before.
    const T later = values[kClock] - T(seen.clock_s);
    residual[0] = (pixel.x - (T(seen.x_px) - T(seen.speed_x) * later)) / T(std_px);
    residual[1] = (pixel.y - (T(seen.y_px) - T(seen.speed_y) * later)) / T(std_px);
    return true;
  }
};

struct LimbError {
  template <typename T>
  bool operator()(const T* a, const T* b, const T* length, T* residual) const {
    using std::sqrt;
    T squares = T(1e-6);
    for (int i = 0; i < 3; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    residual[0] = (sqrt(squares) - length[0]) / T(kLimbStd_m);
    return true;
  }
};

struct HeightError {
  double std_m;
  template <typename T>
  bool operator()(const T* at, const T* height, T* residual) const {
    residual[0] = (at[2] - height[0]) / T(std_m);
    return true;
  }
};

struct UsualShare {
  double share;
  template <typename T>
  bool operator()(const T* joint, const T* person, T* residual) const {
    residual[0] = (joint[0] / person[0] - T(share)) / T(kShareStd);
    return true;
  }
};

// Errors in metres would make the world small: the distance of two cameras stays about as it is.
struct DistanceKept {
  double squared_m2;
  template <typename T>
  bool operator()(const T* a, const T* b, T* residual) const {
    T squared = T(0);
    for (const FloorValue value : {kX, kY, kHeight}) squared += (a[value] - b[value]) * (a[value] - b[value]);
    residual[0] = (squared / T(squared_m2) - T(1)) / T(kDistanceStd);
    return true;
  }
};

class JointAdjustment {
 public:
  JointAdjustment(FootageProblem* problem, std::vector<FootagePerson>* people,
                  const AdjustmentOptions& options, const StopSource& stop)
      : problem_(*problem), people_(*people), options_(options), stop_(stop) {}

  Result<double> likelihood_of(size_t camera) {
    for (const double widened : {3.0, 1.5}) VANTAGE_TRY(improve(widened, false));
    double sum = 0;
    for (const JointPoint& point : points_) {
      // Two rays share one miss; among more, the camera's own has two.
      const bool two = point.seen.size() == 2;
      double squares = 0;
      bool shown = false;
      for (const SeenJoint& one : point.seen) {
        shown = shown || one.camera == camera;
        if (one.camera != camera && !two) continue;
        double off[2];
        JointError{problem_.sizes[one.camera], one, noise_px(point, one)}(problem_.values[one.camera].data(),
                                                                          point.at_m.data(), off);
        squares += off[0] * off[0] + off[1] * off[1];
      }
      const double by_chance = (two ? 1 : 2) * std::log(kChance);
      if (shown) sum += point.weight * std::max(by_chance - squares / 2, -by_chance);
    }
    return kIndependentJoints * sum;
  }

  Result<AdjustmentOutcome> run() {
    constexpr std::array<double, 3> kWidened = {3, 1.5, 1};
    // Near the solution the last round is enough.
    const bool near = !problem_.joint_noise.empty();
    for (const double widened : std::span(kWidened).subspan(near ? kWidened.size() - 1 : 0)) {
      // Principal points once all else is about right.
      VANTAGE_TRY(improve(widened * options_.widened, widened == kWidened.back()));
      if (!near) measure_noise();
    }
    if (options_.covariance) {
      Adjustment adjustment;
      add_errors(options_.widened, &adjustment);
      VANTAGE_ASSIGN(const Eigen::MatrixXd found, adjustment.covariance(free_values(true, &adjustment)));
      outcome_.covariance = placed_covariance(problem_, outcome_.marks, found);
      add_scale(&outcome_.covariance);
    }
    return outcome_;
  }

 private:
  Status improve(double widened, bool centres) {
    // Points and speeds hold for where the cameras are by now.
    gather();
    if (points_.empty())
      return fail(ErrorKind::bad_data, "no person's joints are seen by two cameras at once", "calibration");
    Adjustment adjustment;
    add_errors(widened, &adjustment);
    free_values(centres, &adjustment);
    VANTAGE_TRY(adjustment.solve({Minimiser::Equations::schur, options_.max_iterations, 1e-6, 1e-7, 1e-9}, {},
                                 stop_));
    scale_by_heights();
    return {};
  }

  struct View {
    size_t camera;
    const PictureTrack* track;
    const Skeleton* layout;
    double own_s;
  };

  std::vector<View> views_of(const FootagePerson& person, double time_s) const {
    std::vector<View> views;
    for (const TrackOf& one : person.tracks) {
      const PictureTrack& track = (*problem_.tracks[one.camera])[one.track];
      const double own_s = time_s - problem_.values[one.camera][kClock];
      if (own_s < track.begin_s() || own_s > track.end_s()) continue;
      const auto next = std::ranges::lower_bound(track.marks, own_s, {}, &BoxMark::time_s);
      const Skeleton* layout =
          skeleton_of_size(track.joints[static_cast<size_t>(next - track.marks.begin())].size());
      const auto same = [&](const View& view) { return view.camera == one.camera; };
      if (layout && std::ranges::none_of(views, same)) views.push_back({one.camera, &track, layout, own_s});
    }
    return views;
  }

  // Where rays nearly meet; nothing: they do not, or behind a camera.
  std::optional<Place> meeting(const std::vector<SeenJoint>& seen) const {
    Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    for (const SeenJoint& one : seen) {
      const FloorValues& values = problem_.values[one.camera];
      const Eigen::Vector3d ray = ray_of(problem_.sizes[one.camera], values, one.x_px, one.y_px).normalized(),
                            from(values[kX], values[kY], values[kHeight]);
      const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - ray * ray.transpose();
      normal += across, right += across * from;
    }
    const Eigen::Vector3d at = normal.ldlt().solve(right);
    if (!at.allFinite() || at.z() < -0.5 || at.z() > 2.6) return {};
    for (const SeenJoint& one : seen) {
      const FloorValues& values = problem_.values[one.camera];
      const FloorAxes<double> axes = axes_of(values.data());
      const Eigen::Vector3d off = at - Eigen::Vector3d(values[kX], values[kY], values[kHeight]);
      const FloorPixel<double> pixel =
          pixel_of(problem_.sizes[one.camera], values.data(), axes, at.x(), at.y(), at.z());
      if (off.dot(Eigen::Vector3d(axes.ahead)) < 0.3 ||
          std::hypot(pixel.x - one.x_px, pixel.y - one.y_px) > 0.5 * one.person_px)
        return {};
    }
    return Place{at.x(), at.y(), at.z()};
  }

  void gather() {
    points_.clear();
    outcome_.begin_s = 1e300, outcome_.end_s = -1e300;
    outcome_.marks.assign(problem_.values.size(), 0);
    double length_s = 0;
    std::vector<std::pair<double, double>> spans;
    for (const FootagePerson& person : people_) {
      auto& [begin_s, end_s] = spans.emplace_back(1e300, -1e300);
      for (const TrackOf& one : person.tracks) {
        const PictureTrack& track = (*problem_.tracks[one.camera])[one.track];
        const double clock_s = problem_.values[one.camera][kClock];
        begin_s = std::min(begin_s, track.begin_s() + clock_s);
        end_s = std::max(end_s, track.end_s() + clock_s);
        length_s += track.end_s() - track.begin_s();
      }
    }
    const double step_s =
        std::max(kInstant_s, length_s * kJointsOfMark / static_cast<double>(options_.max_marks));
    size_t instant = 0;
    std::map<double, int> at_once;
    for (size_t p = 0; p < people_.size(); ++p) {
      std::map<std::pair<long, long>, int> places;
      std::vector<std::pair<long, long>> place_of;
      const size_t first_point = points_.size(), first_instant = instant;
      for (double time_s = std::ceil(spans[p].first / step_s) * step_s; time_s < spans[p].second;
           time_s += step_s) {
        outcome_.begin_s = std::min(outcome_.begin_s, time_s);
        outcome_.end_s = std::max(outcome_.end_s, time_s);
        if (options_.leave_out && options_.leave_out(time_s)) continue;
        const Eigen::Vector2d at = add_instant(p, time_s, instant);
        if (!at.allFinite()) continue;
        place_of.emplace_back(std::lround(at.x() / people_calibration_detail::kPlace_m),
                              std::lround(at.y() / people_calibration_detail::kPlace_m));
        ++places[place_of.back()];
        at_once_ = std::max(at_once_, ++at_once[time_s]);
        ++instant;
      }
      for (size_t i = first_point; i < points_.size(); ++i)
        points_[i].weight = 1.0 / places[place_of[points_[i].instant - first_instant]];
    }
  }

  // The middle of the joints; not finite: no two cameras show any.
  Eigen::Vector2d add_instant(size_t person, double time_s, size_t instant) {
    const std::vector<View> views = views_of(people_[person], time_s);
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    double count = 0;
    std::set<size_t> cameras;
    std::set<std::string_view> done;
    for (const View& naming : views)
      for (const std::string_view joint : naming.layout->joints) {
        if (!done.insert(joint).second) continue;
        JointPoint point{person, instant, naming.layout, joint};
        for (const View& view : views)
          if (const int index = view.layout->joint(joint); index >= 0)
            if (auto seen = seen_at(*view.track, static_cast<size_t>(index), view.own_s)) {
              seen->camera = view.camera, seen->clock_s = problem_.values[view.camera][kClock];
              point.seen.push_back(*seen);
            }
        if (point.seen.size() < 2) continue;
        const auto at = meeting(point.seen);
        if (!at) continue;
        point.at_m = *at;
        for (const SeenJoint& one : point.seen) cameras.insert(one.camera);
        sum += Eigen::Vector2d((*at)[0], (*at)[1]), ++count;
        points_.push_back(std::move(point));
      }
    for (const size_t camera : cameras) ++outcome_.marks[camera];
    return sum / count;
  }

  double noise_px(const JointPoint& point, const SeenJoint& seen) const {
    const auto its = problem_.joint_noise.find(either_side(point.joint));
    return (its == problem_.joint_noise.end() ? 1 : its->second) *
           (kNoisePixel + kNoiseShare * seen.person_px);
  }

  void add_errors(double widened, Adjustment* adjustment) {
    lengths_.clear(), heights_.clear();
    for (JointPoint& point : points_) {
      for (const SeenJoint& one : point.seen)
        adjustment->add(new ceres::AutoDiffCostFunction<JointError, 2, kFloorValues, 3>(
                            new JointError{problem_.sizes[one.camera], one, widened * noise_px(point, one)}),
                        Loss{Loss::Kind::tukey, kJointLoss, point.weight * one.score},
                        {problem_.values[one.camera].data(), point.at_m.data()});
      if (!(height_share(point.joint) > 0) || lifted(point)) continue;
      const auto key = std::pair(point.person, either_side(point.joint));
      const auto [height, added] =
          heights_.try_emplace(key, height_share(point.joint) * people_[point.person].height_m);
      adjustment->add(
          new ceres::AutoDiffCostFunction<HeightError, 1, 3, 1>(new HeightError{widened * kSwayStd_m}),
          Loss{Loss::Kind::tukey, kJointLoss, point.weight}, {point.at_m.data(), &height->second});
    }
    for (auto& [key, height] : heights_)
      adjustment->add(
          new ceres::AutoDiffCostFunction<UsualShare, 1, 1, 1>(new UsualShare{height_share(key.second)}),
          Loss{Loss::Kind::huber, 2}, {&height, &people_[key.first].height_m});
    add_limbs(adjustment);
    add_usual_cameras(&problem_, outcome_.marks, adjustment);
    keep_distance(adjustment);
  }

  // A joint that walking lifts: a knee, and the ankle that is not the lower of the two.
  bool lifted(const JointPoint& point) const {
    if (point.joint.ends_with("knee")) return true;
    if (!point.joint.ends_with("ankle")) return false;
    const auto same = std::ranges::equal_range(points_, point.instant, {}, &JointPoint::instant);
    for (const JointPoint& other : same)
      if (&other != &point && other.joint.ends_with("ankle")) return other.at_m[2] < point.at_m[2];
    return true;
  }

  // The distance of the first camera from the farthest one.
  void keep_distance(Adjustment* adjustment) {
    std::vector<FloorValues*> cameras;
    for (size_t c = 0; c < problem_.values.size(); ++c)
      if (problem_.placed[c] && outcome_.marks[c] > 0) cameras.push_back(&problem_.values[c]);
    const auto squared = [&](const FloorValues* camera) {
      double sum = 0;
      for (const FloorValue value : {kX, kY, kHeight})
        sum += std::pow((*camera)[value] - (*cameras[0])[value], 2);
      return sum;
    };
    FloorValues* farthest = *std::ranges::max_element(cameras, {}, squared);
    adjustment->add(new ceres::AutoDiffCostFunction<DistanceKept, 1, kFloorValues, kFloorValues>(
                        new DistanceKept{squared(farthest)}),
                    {}, {cameras[0]->data(), farthest->data()});
  }

  // The scale by which people's heights are the likeliest.
  void scale_by_heights() {
    double sum = 0, squares = 0;
    const std::vector<bool> in_use = people_in_use();
    for (size_t p = 0; p < people_.size(); ++p)
      if (in_use[p]) sum += people_[p].height_m, squares += people_[p].height_m * people_[p].height_m;
    const double scale = sum > 0 ? problem_.prior.mean_m * sum / squares : 1;
    for (FloorValues& values : problem_.values)
      for (const FloorValue value : {kX, kY, kHeight}) values[value] *= scale;
    for (FootagePerson& person : people_) person.height_m *= scale;
    for (JointPoint& point : points_)
      for (double& along : point.at_m) along *= scale;
    for (auto& [key, length] : lengths_) length *= scale;
    for (auto& [key, height] : heights_) height *= scale;
  }

  // The scale, as well as as many people as are there at once show it, moves cameras away from the first one.
  void add_scale(Eigen::MatrixXd* covariance) const {
    Eigen::VectorXd moved = Eigen::VectorXd::Zero(covariance->rows());
    const FloorValues* first = nullptr;
    Eigen::Index row = 0;
    for (size_t c = 0; c < problem_.values.size(); ++c) {
      if (!problem_.placed[c]) continue;
      const FloorValues& values = problem_.values[c];
      if (!first) first = &values;
      moved[row + kX] = values[kX] - (*first)[kX], moved[row + kY] = values[kY] - (*first)[kY];
      moved[row + kHeight] = values[kHeight];
      row += kFloorValues;
    }
    const double std = problem_.prior.std_m / problem_.prior.mean_m / std::sqrt(std::max(at_once_, 1));
    *covariance += std * std * moved * moved.transpose();
  }

  std::vector<bool> people_in_use() const {
    std::vector<bool> in_use(people_.size(), false);
    for (const auto& [key, height] : heights_) in_use[key.first] = true;
    return in_use;
  }

  // Left and right are as long.
  void add_limbs(Adjustment* adjustment) {
    struct Shown {
      Place *from, *to;
      std::pair<size_t, std::string_view> key;
      double weight;
    };
    std::vector<Shown> shown;
    std::map<std::pair<size_t, std::string_view>, std::vector<double>> seen_m;
    for (size_t begin = 0, end = 0; begin < points_.size(); begin = end) {
      while (end < points_.size() && points_[end].instant == points_[begin].instant) ++end;
      const std::span<JointPoint> all(&points_[begin], end - begin);
      for (const SkeletonLimb& one : limbs_of(*all.front().layout)) {
        const Limb& limb = *one.limb;
        const auto from = std::ranges::find(all, limb.from, &JointPoint::joint),
                   to = std::ranges::find(all, limb.to, &JointPoint::joint);
        if (!limb.rigid || from == all.end() || to == all.end()) continue;
        const Eigen::Map<const Eigen::Vector3d> a(from->at_m.data()), b(to->at_m.data());
        shown.push_back({&from->at_m, &to->at_m, {from->person, limb.name}, from->weight});
        seen_m[shown.back().key].push_back((a - b).norm());
      }
    }
    for (auto& [key, its] : seen_m)
      if (its.size() >= kMinLengths) lengths_[key] = upper_median(std::move(its));
    for (const Shown& one : shown)
      if (const auto length = lengths_.find(one.key); length != lengths_.end())
        adjustment->add(new ceres::AutoDiffCostFunction<LimbError, 1, 3, 3, 1>(new LimbError),
                        Loss{Loss::Kind::tukey, kJointLoss, one.weight},
                        {one.from->data(), one.to->data(), &length->second});
  }

  // The columns of the cameras.
  int free_values(bool centres, Adjustment* adjustment) {
    free_cameras(&problem_, outcome_.marks, centres, adjustment);
    const int columns = adjustment->columns();
    for (JointPoint& point : points_) adjustment->block("joint", point.at_m, true);
    for (auto& [key, length] : lengths_) adjustment->block("limb", length, true);
    for (auto& [key, height] : heights_) adjustment->block("joint's height", height, true);
    const std::vector<bool> in_use = people_in_use();
    for (size_t p = 0; p < people_.size(); ++p)
      if (in_use[p]) adjustment->block("height", people_[p].height_m, true);
    return columns;
  }

  // Joints of either side have the same noise; points follow the pictures, the more the fewer these are.
  void measure_noise() {
    struct Found {
      std::vector<double> off;
      double free = 0;
    };
    std::map<std::string_view, Found> found;
    for (const JointPoint& point : points_) {
      Found& its = found[either_side(point.joint)];
      its.free += 2 * static_cast<double>(point.seen.size()) - 3;
      for (const SeenJoint& one : point.seen) {
        double off[2];
        JointError{problem_.sizes[one.camera], one, kNoisePixel + kNoiseShare * one.person_px}(
            problem_.values[one.camera].data(), point.at_m.data(), off);
        its.off.push_back(std::abs(off[0])), its.off.push_back(std::abs(off[1]));
      }
    }
    for (auto& [joint, its] : found) {
      const auto count = static_cast<double>(its.off.size());
      if (its.off.size() < kMinResiduals) continue;
      problem_.joint_noise[joint] =
          std::max(kLeastNoise, robust_scatter(std::move(its.off)) * std::sqrt(count / its.free));
    }
  }

  FootageProblem& problem_;
  std::vector<FootagePerson>& people_;
  const AdjustmentOptions& options_;
  const StopSource& stop_;
  AdjustmentOutcome outcome_;
  std::vector<JointPoint> points_;
  int at_once_ = 0;                                                          // people, at the most
  std::map<std::pair<size_t, std::string_view>, double> lengths_, heights_;  // by person and name
};

}  // namespace

bool shows_joints(const FootageProblem& problem) {
  for (size_t c = 0; c < problem.tracks.size(); ++c) {
    if (!problem.placed[c]) continue;
    size_t dense = 0;
    for (const PictureTrack& track : *problem.tracks[c])
      for (size_t i = kMinPositions; i < track.marks.size(); ++i)
        dense += !track.joints[i].empty() &&
                 track.marks[i].time_s - track.marks[i - kMinPositions].time_s <= 2 * kMotion_s;
    if (dense < kMinMarksWithJoints) return false;
  }
  return true;
}

Result<double> likelihood_by_joints(size_t camera, FootageProblem* problem,
                                    std::vector<FootagePerson>* people, const AdjustmentOptions& options,
                                    const StopSource& stop) {
  return JointAdjustment(problem, people, options, stop).likelihood_of(camera);
}

Result<AdjustmentOutcome> adjust_by_joints(FootageProblem* problem, std::vector<FootagePerson>* people,
                                           const AdjustmentOptions& options, const StopSource& stop) {
  return JointAdjustment(problem, people, options, stop).run();
}

}  // namespace vantage::footage_detail
