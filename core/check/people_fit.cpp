#include "core/check/people_fit.h"

#include <cmath>

#include "core/base/parallel_each.h"
#include "core/check/outline_fit.h"
#include "core/people_calibration/people_solve.h"

namespace vantage {
namespace {

constexpr size_t kMinCameras = 3;  // two are held
// Placing a wrong camera leaves what sound cameras' tangents miss by. It must have been so many times that.
constexpr double kMinBefore = 1.8;
// Standard deviations by which a place on the floor is moved.
constexpr double kMinPlacedCertainty = 3;
// What people_calibration says is the mean of two estimates; the limits here and in people_solve.h were
// measured with their sum (resources/docs/performance/calibration.md, "Check").
constexpr double kSumOfMean = 2;

PeopleFit placed(const PeopleSolveInput& base, size_t camera, const VoxelGrid& grid, const StopSource& stop) {
  PeopleSolveInput input = base;
  input.free[camera] = true;
  PeopleFit fit;
  const Result<PeopleSolution> solution = solve_from_people(input, stop);
  if (!solution || !solution->cameras[camera].determined) return fit;
  const PeopleSolvedCamera& solved = solution->cameras[camera];
  if (std::sqrt(kSumOfMean) * solved.turned_std_deg > kMaxTurnedStd_deg ||
      std::sqrt(kSumOfMean) * solved.moved_std_m > kMaxMovedStd_m)
    return fit;
  fit.solved = true;
  fit.turned_deg = solved.turned_deg, fit.moved_m = solved.moved_m;
  fit.before_px = solved.before_px, fit.after_px = solved.after_px;
  fit.floor = floor_effect(base.cameras[camera], solved.change, kSumOfMean * solved.covariance, grid);
  return fit;
}

}  // namespace

bool is_elsewhere(const PeopleFit& fit) {
  return fit.solved && fit.before_px >= kMinBefore * fit.after_px &&
         fit.floor.certainty >= kMinPlacedCertainty &&
         fit.floor.largest_m + fit.floor.sigma_m > kMaxFloorShift_m;
}

std::optional<size_t> camera_elsewhere(const std::vector<PeopleFit>& cameras) {
  std::optional<size_t> found;
  for (size_t c = 0; c < cameras.size(); ++c) {
    if (!is_elsewhere(cameras[c])) continue;
    if (found) return std::nullopt;
    found = c;
  }
  return found;
}

PeopleReport people_report(const std::vector<Camera>& cameras, const VoxelGrid& grid,
                           const std::vector<MaskSet>& instants, const StopSource& stop) {
  PeopleReport report;
  report.cameras.resize(cameras.size());
  if (cameras.size() < kMinCameras) return report;
  PeopleSolveInput input{cameras, std::vector<bool>(cameras.size(), false), {}, floor_around(grid)};
  for (const MaskSet& masks : instants)
    input.frames.push_back(people_frame(static_cast<int64_t>(input.frames.size()), masks));
  parallel_each(cameras.size(), [&](size_t c) { report.cameras[c] = placed(input, c, grid, stop); });
  report.wrong = camera_elsewhere(report.cameras);
  return report;
}

}  // namespace vantage
