#include "core/people_calibration/detail/upright_people.h"

#include <ceres/ceres.h>
#include <ceres/rotation.h>

#include <cmath>
#include <memory>

#include "core/people_calibration/detail/stoppable_solve.h"

namespace vantage::people_calibration_detail {
namespace {

constexpr double kLossDeviations = 4;
constexpr double kNear_m = 0.1;           // nearer in front of the camera nothing is shown
constexpr double kScaleDeviation = 1e-4;  // of the mean distance of the cameras: held
// By how much nearer to a camera the lowest point of feet is than their middle.
constexpr double kFeetAhead_m = 0.12;

struct MarkError {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d center_m;
  Eigen::Vector2d weight;  // focal length over the standard deviation
  Eigen::Vector2d at;
  bool head;

  template <typename T>
  bool operator()(const T* change, const T* place, const T* height, T* residual) const {
    const T center[3] = {center_m.x() + change[3], center_m.y() + change[4], center_m.z() + change[5]};
    T point[3] = {place[0], place[1], head ? height[0] : T(0)};
    if (!head) {
      const T x = center[0] - place[0], y = center[1] - place[1];
      const T distance = ceres::sqrt(x * x + y * y + T(1e-6));
      point[0] += T(kFeetAhead_m) * x / distance, point[1] += T(kFeetAhead_m) * y / distance;
    }
    T in_given[3];
    for (int i = 0; i < 3; ++i)
      in_given[i] = rotation(i, 0) * (point[0] - center[0]) + rotation(i, 1) * (point[1] - center[1]) +
                    rotation(i, 2) * (point[2] - center[2]);
    T in_camera[3];
    ceres::AngleAxisRotatePoint(change, in_given, in_camera);
    const T depth = in_camera[2] > T(kNear_m) ? in_camera[2] : T(kNear_m);
    residual[0] = weight.x() * (in_camera[0] / depth - at.x());
    residual[1] = weight.y() * (in_camera[1] / depth - at.y());
    return true;
  }
};

MarkError error_of(const TangentProblem& tangents, const UprightMark& mark, double widened) {
  const Camera& camera = tangents.cameras[mark.camera];
  return {camera.rotation_cam_from_world(), camera.center_in_world_m(),
          Eigen::Vector2d(camera.model().fx_px, camera.model().fy_px).cwiseQuotient(widened * mark.std_px),
          mark.at, mark.head};
}

// The logarithm of the mean distance between the cameras, less that of the given ones.
struct ScaleError {
  std::vector<Eigen::Vector3d> centers_m;
  template <typename T>
  bool operator()(T const* const* changes, T* residual) const {
    T sum(0);
    double given = 0;
    for (size_t a = 0; a < centers_m.size(); ++a)
      for (size_t b = 0; b < a; ++b) {
        T square(1e-12);
        for (int i = 0; i < 3; ++i) {
          const T off = centers_m[a][i] + changes[a][3 + i] - centers_m[b][i] - changes[b][3 + i];
          square += off * off;
        }
        sum += ceres::sqrt(square);
        given += (centers_m[a] - centers_m[b]).norm();
      }
    residual[0] = ceres::log(sum / given) / kScaleDeviation;
    return true;
  }
};

void hold_scale(TangentProblem& tangents, ceres::Problem& solved) {
  auto error = std::make_unique<ScaleError>();
  std::vector<double*> blocks;
  for (size_t c = 0; c < tangents.cameras.size(); ++c) {
    error->centers_m.push_back(tangents.cameras[c].center_in_world_m());
    blocks.push_back(tangents.changes[c].data());
  }
  auto* cost = new ceres::DynamicAutoDiffCostFunction<ScaleError>(error.release());
  for (size_t c = 0; c < blocks.size(); ++c) cost->AddParameterBlock(6);
  cost->SetNumResiduals(1);
  solved.AddResidualBlock(cost, nullptr, blocks);
}

}  // namespace

Result<Eigen::MatrixXd> adjust_all(TangentProblem* tangents, UprightProblem* upright, int64_t begin,
                                   int64_t end) {
  ceres::Problem solved;
  add_tangents(*tangents, begin, end, solved);
  for (const UprightMark& mark : upright->marks) {
    UprightPerson& person = upright->people[mark.person];
    if (person.frame >= begin && person.frame < end) continue;
    solved.AddResidualBlock(new ceres::AutoDiffCostFunction<MarkError, 2, 6, 2, 1>(
                                new MarkError(error_of(*tangents, mark, upright->widened))),
                            weighted_tukey(kLossDeviations, mark.weight),
                            tangents->changes[mark.camera].data(), person.at_m.data(),
                            &upright->heights_m[person.track]);
  }
  if (solved.NumParameterBlocks() == 0)
    return fail(ErrorKind::bad_data, "nobody is left to place cameras by", "calibration");
  add_known(*tangents, solved);
  hold_scale(*tangents, solved);
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::SPARSE_SCHUR;
  options.max_num_iterations = 100;
  options.function_tolerance = 1e-8;  // Tukey's loss has a constant part
  VANTAGE_TRY(solve_until_stopped(options, solved, tangents->stop));
  std::vector<double*> changes;
  for (PoseChange& change : tangents->changes) changes.push_back(change.data());
  return covariance_of(solved, changes);
}

}  // namespace vantage::people_calibration_detail
