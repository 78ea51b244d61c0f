// An adjustment that ends while it is solved.
#include "core/calibration/people/detail/solved_poses.h"

#include <ceres/autodiff_cost_function.h>
#include <gtest/gtest.h>

namespace vantage::people_calibration_detail {
namespace {

// Rosenbrock's valley, which takes some twenty steps; counts how often its slopes are taken, and asks to stop
// at one of them.
struct Valley {
  template <typename T>
  bool operator()(const T* x, T* residuals) const {
    residuals[0] = 10.0 * (x[1] - x[0] * x[0]), residuals[1] = 1.0 - x[0];
    return true;
  }
  bool operator()(const double* x, double* residuals) const {
    if (++*evaluations == stop_at) StopSource(stop).request_stop();
    return operator()<double>(x, residuals);
  }
  int* evaluations;
  int stop_at;
  StopSource stop;
};

struct Outcome {
  Status status;
  int evaluations = 0;
  double x[2] = {-1.2, 1};
};

Outcome solve(int stop_at) {
  Outcome out;
  ceres::Problem problem;
  const StopSource stop;
  problem.AddResidualBlock(
      new ceres::AutoDiffCostFunction<Valley, 2, 2>(new Valley{&out.evaluations, stop_at, stop}), nullptr,
      out.x);
  out.status = solve_until_stopped({}, problem, stop);
  return out;
}

TEST(StoppableSolve, GoesOnToTheEndUnlessItIsStopped) {
  const Outcome out = solve(-1);
  EXPECT_TRUE(out.status);
  EXPECT_NEAR(out.x[0], 1, 1e-4);
  EXPECT_NEAR(out.x[1], 1, 1e-4);
  EXPECT_GT(out.evaluations, 10);
}

TEST(StoppableSolve, EndsWithTheIterationInWhichItIsStopped) {
  const Outcome out = solve(3);
  ASSERT_FALSE(out.status);
  EXPECT_EQ(out.status.error().kind, ErrorKind::cancelled);
  EXPECT_LE(out.evaluations, 4);
}

}  // namespace
}  // namespace vantage::people_calibration_detail
