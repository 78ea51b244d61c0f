#include "core/check/people_fit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/parallel_each.h"
#include "core/calibration/people/people_solve.h"
#include "core/check/outline_fit.h"

namespace vantage {
namespace {

constexpr size_t kMinFittedCameras = 3;  // with two neighbours that are fixed
// Minimum ratio of the residual before a wrong camera is placed to that after, which is the residual of sound
// cameras.
constexpr double kMinBefore = 1.8;
// Minimum displacement of a position on the floor, in standard deviations.
constexpr double kMinPlacedCertainty = 3;
// core/calibration/people reports the mean of two estimates; the thresholds here and in people_solve.h were
// measured with their sum (resources/docs/performance/calibration.md, "Check").
constexpr double kSumOfMean = 2;

// The input of a solution with the camera free and its neighbours fixed.
PeopleSolveInput group_of(const PeopleSolveInput& all, const std::vector<size_t>& group, size_t camera) {
  PeopleSolveInput input;
  input.floor = all.floor;
  input.min_gain = kMinBefore;
  for (const size_t c : group) {
    input.cameras.push_back(all.cameras[c]);
    input.free.push_back(c == camera);
  }
  for (const PeopleFrame& frame : all.frames) {
    PeopleFrame& its = input.frames.emplace_back(PeopleFrame{frame.frame, {}});
    for (const size_t c : group) its.cameras.push_back(frame.cameras[c]);
  }
  return input;
}

int64_t outlines_of(const std::vector<PeopleFrame>& frames, size_t camera) {
  int64_t count = 0;
  for (const PeopleFrame& frame : frames) count += std::ssize(frame.cameras[camera]);
  return count;
}

PeopleFit placed(const PeopleSolveInput& all, const std::vector<size_t>& neighbours, size_t camera,
                 const VoxelGrid& grid, const StopSource& stop) {
  PeopleFit fit;
  if (neighbours.size() + 1 < kMinFittedCameras || outlines_of(all.frames, camera) < kMinOutlines) return fit;
  std::vector<size_t> group = neighbours;
  const auto own = group.insert(std::upper_bound(group.begin(), group.end(), camera), camera);
  const auto place = static_cast<size_t>(own - group.begin());
  const Result<PeopleSolution> solution = solve_from_people(group_of(all, group, camera), stop);
  if (!solution || !solution->cameras[place].determined) return fit;
  const PeopleSolvedCamera& solved = solution->cameras[place];
  if (std::sqrt(kSumOfMean) * solved.turned_std_deg > kMaxTurnedStd_deg ||
      std::sqrt(kSumOfMean) * solved.moved_std_m > kMaxMovedStd_m)
    return fit;
  fit.solved = true;
  fit.turned_deg = solved.turned_deg, fit.moved_m = solved.moved_m;
  fit.before_px = solved.before_px, fit.after_px = solved.after_px;
  fit.floor = floor_effect(all.cameras[camera], solved.change, kSumOfMean * solved.covariance, grid);
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

PeopleReport people_report(const std::vector<Camera>& cameras, const Neighbours& neighbours,
                           const VoxelGrid& grid, const std::vector<MaskSet>& instants,
                           const std::function<void()>& placed_one, const StopSource& stop) {
  PeopleReport report;
  report.cameras.resize(cameras.size());
  if (cameras.size() < kMinFittedCameras) return report;
  PeopleSolveInput all{cameras, {}, {}, floor_around(grid)};
  all.frames.resize(instants.size());
  parallel_each(instants.size(),
                [&](size_t i) { all.frames[i] = people_frame(static_cast<int64_t>(i), instants[i]); });
  parallel_each(cameras.size(), [&](size_t c) {
    if (!stop.stop_requested()) report.cameras[c] = placed(all, neighbours[c], c, grid, stop);
    placed_one();
  });
  report.wrong = camera_elsewhere(report.cameras);
  return report;
}

}  // namespace vantage
