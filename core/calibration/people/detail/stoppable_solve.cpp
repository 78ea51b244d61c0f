#include "core/calibration/people/detail/stoppable_solve.h"

namespace vantage::people_calibration_detail {
namespace {

class EndsWhenStopped final : public ceres::IterationCallback {
 public:
  explicit EndsWhenStopped(const StopSource& stop) : stop_(stop) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary&) override {
    return stop_.stop_requested() ? ceres::SOLVER_ABORT : ceres::SOLVER_CONTINUE;
  }

 private:
  const StopSource& stop_;
};

}  // namespace

Status solve_until_stopped(ceres::Solver::Options options, ceres::Problem& problem, const StopSource& stop) {
  EndsWhenStopped ends(stop);
  options.num_threads = 1;
  options.logging_type = ceres::SILENT;
  options.callbacks.push_back(&ends);
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
  if (summary.IsSolutionUsable()) return {};
  return fail(ErrorKind::bad_data, "the adjustment reached no solution: " + summary.message, "calibration");
}

}  // namespace vantage::people_calibration_detail
