#include "core/people_calibration/detail/tangents.h"

#include <ceres/ceres.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <vector>

#include "core/geometry/camera_change.h"
#include "core/people_calibration/detail/stoppable_solve.h"

namespace vantage::people_calibration_detail {
namespace {

constexpr double kMinSine = 0.1;  // of the angle between a ray and the line between the centres
constexpr double kLossScatters = 4;
// Cameras stand about where they are said to.
constexpr double kTurned_rad = 0.09, kMoved_m = 0.5;
// A lens that another calibration gave, or a data sheet: its focal length is right to some per cent, its bend
// hardly known at all (of ordinary lenses k1 lies between -0.4 and 0.1).
constexpr double kFocalChange = 0.05, kK1Change = 0.2;
constexpr double kStep = 1e-6;  // radians and metres, for slopes
constexpr double kMinInformation = 1e-9;

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

Eigen::Vector3d ray_of(const Pose& pose, const BodyOutline& outline, size_t corner) {
  if (outline.slopes.empty()) return pose.world_from_camera * outline.rays[corner];
  return pose.world_from_camera * (outline.rays[corner] + outline.slopes[corner] * pose.lens);
}

// The angle of the plane through the centres and a ray.
double angle_of(const Pose& pose, const BodyOutline& outline, size_t corner, const Axes& axes) {
  const Eigen::Vector3d in_world = ray_of(pose, outline, corner);
  return std::atan2(in_world.dot(axes.up), in_world.dot(axes.ahead));
}

// The outermost of an outline's planes on one side.
struct Tangent {
  size_t corner = 0;
  double angle = 0, angle_per_px = 0;
  bool counts = false;
};

Tangent tangent_of(const Pose& pose, const BodyOutline& outline, const Axes& axes, Touch touch) {
  Tangent tangent;
  for (size_t i = 0; i < outline.rays.size(); ++i) {
    const double angle = angle_of(pose, outline, i, axes);
    if (i == 0 || (touch == kAbove ? angle > tangent.angle : angle < tangent.angle))
      tangent.corner = i, tangent.angle = angle;
  }
  const Eigen::Vector3d ray = ray_of(pose, outline, tangent.corner);
  const double sine = ray.cross(axes.along).norm();
  tangent.angle_per_px = 1 / (pose.focal_px * std::max(sine, kMinSine));
  tangent.counts = !outline.cut[tangent.corner] && sine > kMinSine;
  return tangent;
}

// One tangent of one pair by the changes of both cameras and their lenses; what is held is a constant block.
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
    if (!slopes) return true;
    const auto angle_at = [&](const Pose& one, const Pose& other) {
      const auto there = axes_between(one, a_.middle, other);
      return there
                 ? angle_of(one, a_, in_first.corner, *there) - angle_of(other, b_, in_second.corner, *there)
                 : 0.0;
    };
    for (size_t block = 0; block < 4; ++block)
      for (size_t i = 0; slopes[block] && i < (block < 2 ? 6 : 2); ++i) {
        double angles[2];
        for (const size_t side : {0, 1}) {
          std::array<double, 6> changed = {};
          std::copy_n(values[block], block < 2 ? 6 : 2, changed.begin());
          changed[i] += side == 0 ? kStep : -kStep;
          std::array<const double*, 4> all = {values[0], values[1], values[2], values[3]};
          all[block] = changed.data();
          const Pose there = pose_by(all.data(), block % 2);
          angles[side] = block % 2 == 0 ? angle_at(there, second) : angle_at(first, there);
        }
        slopes[block][i] = (angles[0] - angles[1]) / (2 * kStep * unit);
      }
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

  const BodyOutline &a_, &b_;
  const Camera &first_, &second_;
  Touch touch_;
  std::array<LensChange, 2> seen_by_;
  double scatter_px_;
};

struct Known {
  bool operator()(const double* change, double* residual) const {
    for (int i = 0; i < 6; ++i) residual[i] = change[i] / (i < 3 ? kTurned_rad : kMoved_m);
    return true;
  }
};

struct KnownLens {
  bool operator()(const double* change, double* residual) const {
    residual[0] = change[0] / kFocalChange, residual[1] = change[1] / kK1Change;
    return true;
  }
};

}  // namespace

ceres::LossFunction* weighted_tukey(double scale, double weight) {
  auto* tukey = new ceres::TukeyLoss(scale);
  return weight == 1 ? static_cast<ceres::LossFunction*>(tukey)
                     : new ceres::ScaledLoss(tukey, weight, ceres::TAKE_OWNERSHIP);
}

Eigen::MatrixXd covariance_of(ceres::Problem& solved, const std::vector<double*>& blocks) {
  // Those asked for first: theirs is the upper left of the inverse.
  ceres::Problem::EvaluateOptions options;
  options.parameter_blocks = blocks;
  int asked = 0;
  for (double* block : blocks) asked += solved.ParameterBlockSize(block);
  // In the order of the residuals: that of the blocks themselves is of their addresses.
  std::unordered_set<double*> taken(blocks.begin(), blocks.end());
  std::vector<ceres::ResidualBlockId> residuals;
  solved.GetResidualBlocks(&residuals);
  for (const ceres::ResidualBlockId residual : residuals) {
    std::vector<double*> its;
    solved.GetParameterBlocksForResidualBlock(residual, &its);
    for (double* block : its)
      if (!solved.IsParameterBlockConstant(block) && taken.insert(block).second)
        options.parameter_blocks.push_back(block);
  }
  ceres::CRSMatrix slopes;
  solved.Evaluate(options, nullptr, nullptr, nullptr, &slopes);
  const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> jacobian(
      slopes.num_rows, slopes.num_cols, static_cast<Eigen::Index>(slopes.values.size()), slopes.rows.data(),
      slopes.cols.data(), slopes.values.data());
  Eigen::SparseMatrix<double> information = Eigen::SparseMatrix<double>(jacobian.transpose()) * jacobian;
  // What nothing says anything of (somebody who is an outlier in every camera) stays invertible.
  for (int i = 0; i < slopes.num_cols; ++i) information.coeffRef(i, i) += kMinInformation;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(information);
  const Eigen::MatrixXd first = Eigen::MatrixXd::Identity(slopes.num_cols, asked);
  return Eigen::MatrixXd(solver.solve(first)).topRows(asked);
}

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

void add_tangents(TangentProblem& problem, int64_t begin, int64_t end, ceres::Problem& solved) {
  std::vector<Pose> poses;
  problem.lenses.resize(problem.cameras.size()), problem.seen_by.resize(problem.cameras.size());
  for (size_t c = 0; c < problem.cameras.size(); ++c) {
    Pose& pose = poses.emplace_back(pose_of(problem.cameras[c], problem.changes[c]));
    for (size_t i = 0; i < 2; ++i)
      pose.lens[static_cast<Eigen::Index>(i)] = problem.lenses[c][i] - problem.seen_by[c][i];
  }
  for (const OutlinePair& pair : problem.pairs) {
    const BodyOutline &a = problem.outlines[pair.first], &b = problem.outlines[pair.second];
    if ((a.frame >= begin && a.frame < end) || (!problem.free[a.camera] && !problem.free[b.camera])) continue;
    const TangentMiss now = tangent_miss(poses[a.camera], a, poses[b.camera], b);
    for (const Touch touch : {kBelow, kAbove})
      if (now.counts[touch])
        solved.AddResidualBlock(new PairError(problem, pair, touch),
                                weighted_tukey(kLossScatters, pair.weight), problem.changes[a.camera].data(),
                                problem.changes[b.camera].data(), problem.lenses[a.camera].data(),
                                problem.lenses[b.camera].data());
  }
  if (problem.solve_lenses) return;
  for (LensChange& lens : problem.lenses)
    if (solved.HasParameterBlock(lens.data())) solved.SetParameterBlockConstant(lens.data());
}

void add_known(TangentProblem& problem, ceres::Problem& solved) {
  for (size_t c = 0; c < problem.cameras.size(); ++c)
    if (problem.free[c])
      solved.AddResidualBlock(new ceres::NumericDiffCostFunction<Known, ceres::CENTRAL, 6, 6>(new Known),
                              nullptr, problem.changes[c].data());
  for (LensChange& lens : problem.lenses)
    if (problem.solve_lenses)
      solved.AddResidualBlock(
          new ceres::NumericDiffCostFunction<KnownLens, ceres::CENTRAL, 2, 2>(new KnownLens), nullptr,
          lens.data());
}

Result<Eigen::MatrixXd> adjust_poses(TangentProblem* problem, int64_t begin, int64_t end) {
  ceres::Problem solved;
  add_tangents(*problem, begin, end, solved);
  add_known(*problem, solved);
  std::vector<double*> free;
  for (size_t c = 0; c < problem->cameras.size(); ++c) {
    double* change = problem->changes[c].data();
    if (problem->free[c]) {
      free.push_back(change);
    } else if (solved.HasParameterBlock(change)) {
      solved.SetParameterBlockConstant(change);
    }
  }
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
  options.max_num_iterations = 50;
  VANTAGE_TRY(solve_until_stopped(options, solved, problem->stop));
  return covariance_of(solved, free);
}

}  // namespace vantage::people_calibration_detail
