#include "core/calibration/people/detail/tangents.h"

#include <ceres/sized_cost_function.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace vantage::people_calibration_detail {
namespace {

constexpr double kMinSine = 0.1;  // of the angle between a ray and the line between the centres
constexpr double kLossScatters = 4;
// Standard deviations of stated poses: radians, metres.
constexpr PoseChange kStatedPose = {0.09, 0.09, 0.09, 0.5, 0.5, 0.5};
// A lens that another calibration gave, or a data sheet: its focal length is right to some per cent, its bend
// hardly known at all (k1 of ordinary lenses lies between -0.4 and 0.1).
constexpr LensChange kStatedLens = {0.05, 0.2};

struct Axes {
  Eigen::Vector3d along, ahead, up;  // along the line between the centres, towards the body, across
};

std::optional<Axes> axes_between(const Pose& first, const Eigen::Vector3d& middle, const Pose& second) {
  Axes axes;
  axes.along = second.center_m - first.center_m;
  if (!(axes.along.norm() > 1e-6)) return {};
  axes.along.normalize();
  const Eigen::Vector3d towards = first.world_from_camera * middle;
  axes.ahead = towards - axes.along * axes.along.dot(towards);
  if (!(axes.ahead.norm() > kMinSine)) return {};
  axes.ahead.normalize();
  axes.up = axes.along.cross(axes.ahead);
  if (axes.up.z() < 0) axes.up = -axes.up;
  return axes;
}

// In the camera's axes, by the pose's lens.
Eigen::Vector3d ray_in_camera(const Pose& pose, const BodyOutline& outline, size_t corner) {
  if (outline.slopes.empty()) return outline.rays[corner];
  return outline.rays[corner] + outline.slopes[corner] * pose.lens;
}

// In the order of std::atan2(y, x), and cheaper.
double order_of_angle(double x, double y) {
  const double share = y / (std::abs(x) + std::abs(y));
  return x >= 0 ? share : std::copysign(2, y) - share;
}

// The outermost of an outline's planes on one side.
struct Tangent {
  size_t corner = 0;
  double angle = 0, angle_per_px = 0;  // of the plane through the centres and the corner's ray
  bool counts = false;
};

Tangent tangent_of(const Pose& pose, const BodyOutline& outline, const Axes& axes, Touch touch) {
  const Eigen::Vector3d up = pose.world_from_camera.transpose() * axes.up,
                        ahead = pose.world_from_camera.transpose() * axes.ahead;
  Tangent tangent;
  double outermost = 0;
  for (size_t i = 0; i < outline.rays.size(); ++i) {
    const Eigen::Vector3d ray = ray_in_camera(pose, outline, i);
    const double order = order_of_angle(ray.dot(ahead), ray.dot(up));
    if (i == 0 || (touch == kAbove ? order > outermost : order < outermost))
      tangent.corner = i, outermost = order;
  }
  const Eigen::Vector3d ray = ray_in_camera(pose, outline, tangent.corner);
  tangent.angle = std::atan2(ray.dot(up), ray.dot(ahead));
  const double sine = (pose.world_from_camera * ray).cross(axes.along).norm();
  tangent.angle_per_px = 1 / (pose.focal_px * std::max(sine, kMinSine));
  tangent.counts = !outline.cut[tangent.corner] && sine > kMinSine;
  return tangent;
}

Eigen::Matrix3d skew(const Eigen::Vector3d& v) {
  return Eigen::Matrix3d{{0, -v.z(), v.y()}, {v.z(), 0, -v.x()}, {-v.y(), v.x(), 0}};
}

// Maps a small change of a rotation vector to the turn that it adds.
Eigen::Matrix3d left_jacobian(const Eigen::Vector3d& turn) {
  const double angle2 = turn.squaredNorm(), angle = std::sqrt(angle2);
  const Eigen::Matrix3d cross = skew(turn);
  if (angle < 1e-4) return Eigen::Matrix3d::Identity() + cross / 2;
  return Eigen::Matrix3d::Identity() + (1 - std::cos(angle)) / angle2 * cross +
         (angle - std::sin(angle)) / (angle2 * angle) * cross * cross;
}

// One tangent of one pair by the changes of both cameras and their lenses; what is fixed is a constant block.
// Slopes are those of the corners that touch: others come in only where a change is large.
class PairError final : public ceres::SizedCostFunction<1, 6, 6, 2, 2> {
 public:
  PairError(const TangentProblem& problem, const OutlinePair& pair, Touch touch)
      : a_(problem.outlines[pair.first]),
        b_(problem.outlines[pair.second]),
        first_(problem.cameras[a_.camera]),
        second_(problem.cameras[b_.camera]),
        touch_(touch),
        seen_by_{problem.seen_by[a_.camera], problem.seen_by[b_.camera]},
        scatter_px_(problem.scatter_px[touch]) {}

  bool Evaluate(const double* const* values, double* residual, double** slopes) const override {
    std::array<Pose, 2> poses = {pose_by(values, 0), pose_by(values, 1)};
    const Pose &first = poses[0], &second = poses[1];
    const auto axes = axes_between(first, a_.middle, second);
    if (!axes) return false;
    const Tangent in_first = tangent_of(first, a_, *axes, touch_),
                  in_second = tangent_of(second, b_, *axes, touch_);
    const double unit = scatter_px_ * std::hypot(in_first.angle_per_px, in_second.angle_per_px);
    *residual = (in_first.angle - in_second.angle) / unit;
    if (slopes) fill_slopes(values, poses, *axes, {in_first.corner, in_second.corner}, unit, slopes);
    return true;
  }

 private:
  Pose pose_by(const double* const* values, size_t k) const {
    PoseChange change;
    std::copy_n(values[k], 6, change.begin());
    Pose pose = pose_of(k == 0 ? first_ : second_, change);
    for (size_t i = 0; i < 2; ++i)
      pose.lens[static_cast<Eigen::Index>(i)] = values[2 + k][i] - seen_by_[k][i];
    return pose;
  }

  // Slopes of the difference of both planes' angles, which does not depend on where angles are counted from.
  // A ray r that moves by dr turns its plane by (along x r) dr / d^2, d being its distance from the line
  // along; a change of along is a rotation of all rays the other way.
  void fill_slopes(const double* const* values, const std::array<Pose, 2>& poses, const Axes& axes,
                   const std::array<size_t, 2>& corners, double unit, double** slopes) const {
    const double side = axes.along.cross(axes.ahead).dot(axes.up);  // 1 or -1
    std::array<Eigen::RowVector3d, 2> by_ray;                       // signed as the difference has them
    Eigen::RowVector3d by_along = Eigen::RowVector3d::Zero();
    for (const size_t k : {0, 1}) {
      const Eigen::Vector3d ray =
          poses[k].world_from_camera * ray_in_camera(poses[k], outline(k), corners[k]);
      const Eigen::Vector3d across = axes.along.cross(ray);
      by_ray[k] = (k == 0 ? side : -side) / (unit * across.squaredNorm()) * across.transpose();
      by_along -= axes.along.dot(ray) * by_ray[k];
    }
    const Eigen::RowVector3d by_center = by_along / (poses[1].center_m - poses[0].center_m).norm();
    for (const size_t k : {0, 1}) {
      const Eigen::RowVector3d in_camera = by_ray[k] * poses[k].world_from_camera;
      const Eigen::Vector3d ray = ray_in_camera(poses[k], outline(k), corners[k]);
      if (slopes[k]) {
        const Eigen::Vector3d turn(values[k][0], values[k][1], values[k][2]);
        Eigen::Map<Eigen::RowVector3d> of_turn(slopes[k]), of_shift(slopes[k] + 3);
        of_turn = in_camera * skew(ray) * left_jacobian(turn);
        of_shift = (k == 0 ? -1.0 : 1.0) * by_center;
      }
      if (slopes[2 + k]) {
        Eigen::RowVector2d by_lens = Eigen::RowVector2d::Zero();
        if (!outline(k).slopes.empty()) by_lens = in_camera * outline(k).slopes[corners[k]];
        Eigen::Map<Eigen::RowVector2d> of_lens(slopes[2 + k]);
        of_lens = by_lens;
      }
    }
  }
  const BodyOutline& outline(size_t k) const { return k == 0 ? a_ : b_; }

  const BodyOutline &a_, &b_;
  const Camera &first_, &second_;
  Touch touch_;
  std::array<LensChange, 2> seen_by_;
  double scatter_px_;
};

}  // namespace

Pose pose_of(const Camera& camera, const PoseChange& change) {
  const Eigen::Matrix3d rotation =
      turned(camera.rotation_cam_from_world(), {change[0], change[1], change[2]});
  return {rotation.transpose(), camera.center_in_world_m() + Eigen::Vector3d(change[3], change[4], change[5]),
          camera.model().fx_px};
}

TangentMiss tangent_miss(const Pose& first, const BodyOutline& in_first, const Pose& second,
                         const BodyOutline& in_second) {
  TangentMiss miss;
  const auto axes = axes_between(first, in_first.middle, second);
  if (!axes) return miss;
  for (const Touch touch : {kBelow, kAbove}) {
    const Tangent a = tangent_of(first, in_first, *axes, touch),
                  b = tangent_of(second, in_second, *axes, touch);
    miss.counts[touch] = a.counts && b.counts;
    miss.px[touch] = (a.angle - b.angle) / std::hypot(a.angle_per_px, b.angle_per_px);
  }
  return miss;
}

std::vector<Pose> TangentProblem::poses(const std::vector<PoseChange>& by,
                                        const std::vector<LensChange>& through) const {
  std::vector<Pose> poses;
  for (size_t c = 0; c < cameras.size(); ++c) {
    Pose& pose = poses.emplace_back(pose_of(cameras[c], by[c]));
    pose.lens = {through[c][0] - seen_by[c][0], through[c][1] - seen_by[c][1]};
  }
  return poses;
}

std::vector<double> misses_px(const TangentProblem& problem, const std::vector<Pose>& poses,
                              const std::function<bool(size_t first, size_t second)>& take,
                              std::initializer_list<Touch> touches) {
  std::vector<double> sizes;
  for (const OutlinePair& pair : problem.pairs) {
    const BodyOutline &a = problem.outlines[pair.first], &b = problem.outlines[pair.second];
    if (!take(a.camera, b.camera)) continue;
    const TangentMiss miss = tangent_miss(poses[a.camera], a, poses[b.camera], b);
    for (const Touch touch : touches)
      if (miss.counts[touch]) sizes.push_back(std::abs(miss.px[touch]));
  }
  return sizes;
}

CameraChange camera_change(const PoseChange& change) {
  CameraChange all = CameraChange::Zero();
  all.head<6>() = Eigen::Map<const Eigen::Vector<double, 6>>(change.data());
  return all;
}

Eigen::VectorXd values_of(const TangentProblem& problem) {
  const auto cameras = static_cast<Eigen::Index>(problem.changes.size());
  Eigen::VectorXd values(problem.solve_lenses ? 8 * cameras : 6 * cameras);
  Eigen::Index at = 0;
  for (const PoseChange& change : problem.changes)
    for (const double value : change) values[at++] = value;
  for (const LensChange& lens : problem.lenses)
    for (size_t i = 0; problem.solve_lenses && i < lens.size(); ++i) values[at++] = lens[i];
  return values;
}

void add_tangents(TangentProblem& problem, Adjustment& adjustment) {
  const std::vector<Pose> poses = problem.poses(problem.changes, problem.lenses);
  for (const OutlinePair& pair : problem.pairs) {
    const BodyOutline &a = problem.outlines[pair.first], &b = problem.outlines[pair.second];
    if (!problem.free[a.camera] && !problem.free[b.camera]) continue;
    const TangentMiss now = tangent_miss(poses[a.camera], a, poses[b.camera], b);
    for (const Touch touch : {kBelow, kAbove})
      if (now.counts[touch])
        adjustment.add(new PairError(problem, pair, touch),
                       Loss{Loss::Kind::tukey, kLossScatters, pair.weight},
                       {problem.changes[a.camera].data(), problem.changes[b.camera].data(),
                        problem.lenses[a.camera].data(), problem.lenses[b.camera].data()});
  }
}

void add_known(TangentProblem& problem, Adjustment& adjustment) {
  for (size_t c = 0; c < problem.cameras.size(); ++c)
    if (problem.free[c]) adjustment.add_prior(problem.changes[c], kStatedPose);
  for (LensChange& lens : problem.lenses)
    if (problem.solve_lenses) adjustment.add_prior(lens, kStatedLens);
}

void name_blocks(TangentProblem& problem, Adjustment& adjustment) {
  for (size_t c = 0; c < problem.cameras.size(); ++c)
    adjustment.block(problem.cameras[c].name(), problem.changes[c], problem.free[c]);
  for (size_t c = 0; c < problem.cameras.size(); ++c)
    adjustment.block(problem.cameras[c].name() + " lens", problem.lenses[c], problem.solve_lenses);
}

Result<Eigen::MatrixXd> adjust_poses(TangentProblem* problem) {
  Adjustment adjustment;
  add_tangents(*problem, adjustment);
  add_known(*problem, adjustment);
  name_blocks(*problem, adjustment);
  VANTAGE_TRY(adjustment.solve({Minimiser::Equations::dense, 50, 1e-6, 1e-8, 1e-10}, {}, problem->stop));
  return adjustment.covariance(adjustment.columns());
}

}  // namespace vantage::people_calibration_detail
