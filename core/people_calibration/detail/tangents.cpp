#include "core/people_calibration/detail/tangents.h"

#include <ceres/ceres.h>

#include <cmath>
#include <optional>

namespace vantage::people_calibration_detail {
namespace {

constexpr double kMinSine = 0.1;  // of the angle between a ray and the line between the centres
constexpr double kLossScatters = 4;
// Cameras stand about where they are said to.
constexpr double kTurned_rad = 0.09, kMoved_m = 0.5;
constexpr double kOtherwise_px = 1e3;  // where a change leaves nothing to compare

// The outermost of an outline's planes on one side.
struct Tangent {
  double angle = 0, angle_per_px = 0;
  bool counts = false;
};

struct Axes {
  Eigen::Vector3d along, ahead, up;  // along the line between the centres, towards the body, across
};

std::array<Tangent, kTouches> tangents(const Pose& pose, const BodyOutline& outline, const Axes& axes) {
  std::array<Tangent, kTouches> found;
  for (size_t i = 0; i < outline.rays.size(); ++i) {
    const Eigen::Vector3d ray = pose.world_from_camera * outline.rays[i];
    const double angle = std::atan2(ray.dot(axes.up), ray.dot(axes.ahead));
    const double sine = ray.cross(axes.along).norm();
    for (const Touch touch : {kBelow, kAbove}) {
      Tangent& tangent = found[touch];
      if (i > 0 && (touch == kAbove ? angle <= tangent.angle : angle >= tangent.angle)) continue;
      tangent = {angle, 1 / (pose.focal_px * std::max(sine, kMinSine)), !outline.cut[i] && sine > kMinSine};
    }
  }
  return found;
}

std::optional<Axes> axes_between(const Pose& first, const BodyOutline& outline, const Pose& second) {
  Axes axes;
  axes.along = second.center_m - first.center_m;
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& ray : outline.rays) middle += ray;
  middle = first.world_from_camera * middle.normalized();
  if (!(axes.along.norm() > 1e-6)) return {};
  axes.along.normalize();
  axes.ahead = middle - axes.along * axes.along.dot(middle);
  if (!(axes.ahead.norm() > kMinSine)) return {};
  axes.ahead.normalize();
  axes.up = axes.along.cross(axes.ahead);
  if (axes.up.z() < 0) axes.up = -axes.up;
  return axes;
}

// One tangent of one pair by the changes of both cameras; a held camera's change is a constant block.
struct PairError {
  const TangentProblem* problem;
  OutlinePair pair;
  Touch touch;
  double scatter_px;

  bool operator()(const double* first_change, const double* second_change, double* residual) const {
    const BodyOutline &a = problem->outlines[pair.first], &b = problem->outlines[pair.second];
    PoseChange first, second;
    std::copy_n(first_change, 6, first.begin());
    std::copy_n(second_change, 6, second.begin());
    const TangentMiss miss = tangent_miss(pose_of(problem->cameras[a.camera], first), a,
                                          pose_of(problem->cameras[b.camera], second), b);
    *residual = (miss.counts[touch] ? miss.px[touch] : kOtherwise_px) / scatter_px;
    return true;
  }
};

struct Known {
  bool operator()(const double* change, double* residual) const {
    for (int i = 0; i < 6; ++i) residual[i] = change[i] / (i < 3 ? kTurned_rad : kMoved_m);
    return true;
  }
};

void add_tangents(TangentProblem& problem, int64_t begin, int64_t end, ceres::Problem& solved) {
  std::vector<Pose> poses;
  for (size_t c = 0; c < problem.cameras.size(); ++c)
    poses.push_back(pose_of(problem.cameras[c], problem.changes[c]));
  for (const OutlinePair& pair : problem.pairs) {
    const BodyOutline &a = problem.outlines[pair.first], &b = problem.outlines[pair.second];
    if ((a.frame >= begin && a.frame < end) || (!problem.free[a.camera] && !problem.free[b.camera])) continue;
    const TangentMiss now = tangent_miss(poses[a.camera], a, poses[b.camera], b);
    for (const Touch touch : {kBelow, kAbove})
      if (now.counts[touch])
        solved.AddResidualBlock(new ceres::NumericDiffCostFunction<PairError, ceres::CENTRAL, 1, 6, 6>(
                                    new PairError{&problem, pair, touch, problem.scatter_px[touch]}),
                                new ceres::TukeyLoss(kLossScatters), problem.changes[a.camera].data(),
                                problem.changes[b.camera].data());
  }
}

Eigen::MatrixXd covariance_of(ceres::Problem& solved, const std::vector<double*>& blocks) {
  ceres::Problem::EvaluateOptions options;
  options.parameter_blocks = blocks;
  ceres::CRSMatrix slopes;
  solved.Evaluate(options, nullptr, nullptr, nullptr, &slopes);
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(slopes.num_cols, slopes.num_cols);
  for (int row = 0; row < slopes.num_rows; ++row)
    for (int a = slopes.rows[static_cast<size_t>(row)]; a < slopes.rows[static_cast<size_t>(row) + 1]; ++a)
      for (int b = slopes.rows[static_cast<size_t>(row)]; b < slopes.rows[static_cast<size_t>(row) + 1]; ++b)
        information(slopes.cols[static_cast<size_t>(a)], slopes.cols[static_cast<size_t>(b)]) +=
            slopes.values[static_cast<size_t>(a)] * slopes.values[static_cast<size_t>(b)];
  return information.ldlt().solve(Eigen::MatrixXd::Identity(slopes.num_cols, slopes.num_cols));
}

}  // namespace

Pose pose_of(const Camera& camera, const PoseChange& change) {
  const Eigen::Vector3d turn(change[0], change[1], change[2]);
  const double angle = turn.norm();
  Eigen::Matrix3d rotation = camera.rotation_cam_from_world();
  if (angle > 0) rotation = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() * rotation;
  return {rotation.transpose(), camera.center_in_world_m() + Eigen::Vector3d(change[3], change[4], change[5]),
          camera.model().fx_px};
}

TangentMiss tangent_miss(const Pose& first, const BodyOutline& in_first, const Pose& second,
                         const BodyOutline& in_second) {
  TangentMiss miss;
  const auto axes = axes_between(first, in_first, second);
  if (!axes) return miss;
  const auto a = tangents(first, in_first, *axes), b = tangents(second, in_second, *axes);
  for (const Touch touch : {kBelow, kAbove}) {
    miss.counts[touch] = a[touch].counts && b[touch].counts;
    miss.px[touch] =
        (a[touch].angle - b[touch].angle) / std::hypot(a[touch].angle_per_px, b[touch].angle_per_px);
  }
  return miss;
}

Result<Eigen::MatrixXd> adjust_poses(TangentProblem* problem, int64_t begin, int64_t end) {
  ceres::Problem solved;
  add_tangents(*problem, begin, end, solved);
  std::vector<double*> free;
  for (size_t c = 0; c < problem->cameras.size(); ++c) {
    double* change = problem->changes[c].data();
    if (problem->free[c]) {
      solved.AddResidualBlock(new ceres::NumericDiffCostFunction<Known, ceres::CENTRAL, 6, 6>(new Known),
                              nullptr, change);
      free.push_back(change);
    } else if (solved.HasParameterBlock(change)) {
      solved.SetParameterBlockConstant(change);
    }
  }
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
  options.num_threads = 1;  // sums in one order
  options.max_num_iterations = 50;
  options.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &solved, &summary);
  if (!summary.IsSolutionUsable())
    return fail(ErrorKind::bad_data, "the adjustment reached no solution: " + summary.message, "calibration");
  return covariance_of(solved, free);
}

}  // namespace vantage::people_calibration_detail
