#include "core/calibration/solve/detail/least_squares.h"

#include <ceres/ceres.h>

#include <cmath>

#include "core/geometry/dense.h"
#include "core/geometry/lens_inverse.h"

namespace vantage {
namespace {

// The smallest eigenvalue of the normal equations, scaled to a diagonal of ones, that still determines
// something.
constexpr double kMinEigenvalue = 1e-11;

}  // namespace

Status minimise(ceres::Problem* problem, const std::string& remedy) {
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::SPARSE_NORMAL_CHOLESKY;
  options.num_threads = 1;
  options.max_num_iterations = 200;
  options.function_tolerance = 1e-12;
  options.parameter_tolerance = 1e-12;
  options.gradient_tolerance = 1e-12;
  options.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(options, problem, &summary);
  if (summary.IsSolutionUsable()) return {};
  return fail(ErrorKind::bad_data, "the bundle adjustment reached no solution: " + summary.message,
              "calibration", remedy);
}

InvertedNormal invert_normal(const Eigen::MatrixXd& normal) {
  InvertedNormal inverted;
  if (normal.cols() == 0) return inverted;  // all is held
  const Eigen::VectorXd scale =
      normal.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
  const auto [values, vectors] = symmetric_parts(scale.asDiagonal() * normal * scale.asDiagonal());
  inverted.smallest = values[0];
  for (Eigen::Index k = 0; k < normal.cols() && values[k] < kMinEigenvalue; ++k) {
    Eigen::Index worst = 0;
    vectors.col(k).cwiseAbs().maxCoeff(&worst);
    inverted.open.push_back(worst);
  }
  if (!inverted.open.empty()) return inverted;
  const Eigen::MatrixXd scaled = scale.asDiagonal() * vectors;
  inverted.inverse = scaled * values.cwiseInverse().asDiagonal() * scaled.transpose();
  return inverted;
}

Lens<double> lens_with(const LensValues& values, const Lens<double>& fixed) {
  Lens<double> lens = fixed;
  lens.k1 = values[kK1], lens.k2 = values[kK2], lens.p1 = values[kP1], lens.p2 = values[kP2];
  lens.k3 = values[kK3], lens.k4 = values[kK4], lens.k5 = values[kK5], lens.k6 = values[kK6];
  complete_lens(&lens);
  return lens;
}

}  // namespace vantage
