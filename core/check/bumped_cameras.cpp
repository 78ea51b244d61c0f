#include "core/check/bumped_cameras.h"

#include <algorithm>

#include "core/base/clock.h"
#include "core/project/camera_in_time.h"
#include "core/project/project.h"
#include "core/video/no_video.h"

namespace vantage {
namespace {

// Frame rate of the base camera, frames/s.
Result<double> base_rate_of(const Project& project) {
  const ProjectCamera& base = project.cameras.front();
  if (base.frame_rate > 0 || names_no_video(base.video)) return effective_frame_rate(base.frame_rate, 0);
  VANTAGE_ASSIGN(const auto video, open_video(base.video, {}));
  return effective_frame_rate(0, video->info().frame_rate);
}

}  // namespace

bool WatchedCamera::solved() const {
  return std::all_of(jumps.begin(), jumps.end(),
                     [](const SolvedJump& jump) { return jump.known_and_fits() || jump.solved(); });
}

Result<std::vector<WatchedCamera>> watch_cameras(const Project& project, const std::vector<bool>& asked,
                                                 const std::function<void(int64_t, int64_t)>& progress,
                                                 const StopSource& stop) {
  std::vector<WatchedCamera> watched;
  if (project.cameras.empty()) return watched;
  VANTAGE_ASSIGN(const double base_rate, base_rate_of(project));
  std::optional<VoxelGrid> grid;
  if (project.calibrated())
    if (const auto fitted = project.effective_grid()) grid = *fitted;
  const int64_t total = std::count(asked.begin(), asked.end(), true);
  int64_t done = 0;
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const ProjectCamera& camera = project.cameras[c];
    if (!asked.at(c)) continue;
    progress(done++, total);
    if (names_no_video(camera.video)) continue;
    VANTAGE_ASSIGN(const WatchedView view, watch_view(camera.video, kWatchedViews, stop));
    const double ratio = effective_frame_rate(camera.frame_rate, view.frame_rate) / base_rate;
    WatchedCamera& one = watched.emplace_back();
    one.camera = c;
    one.untold = view.finding.jumps.empty() ? view.finding.untold : "";
    // A calibration for pictures of another size does not apply to these.
    if (camera.calibration && camera.calibration->width_px() == view.width_px)
      one.jumps = solve_jumps(view.finding, camera.calibration, grid ? &*grid : nullptr,
                              known_calibrations(camera, ratio));
    else
      one.jumps = solve_jumps(view.finding, std::nullopt, nullptr);
    for (const SolvedJump& jump : one.jumps)
      one.from_frames.push_back(frame_set_of(camera, jump.jump.first_after, ratio));
  }
  progress(total, total);
  return watched;
}

size_t add_bumps(const std::vector<WatchedCamera>& watched, Project* project) {
  size_t changed = 0;
  for (const WatchedCamera& one : watched) {
    if (!one.solved()) continue;
    bool added = false;
    ProjectCamera& camera = project->cameras[one.camera];
    for (const SolvedJump& jump : one.jumps)
      if (jump.known && !jump.known_and_fits())
        std::erase_if(camera.later_calibrations, [&](const LaterCalibration& later) {
          return later.from_frame == jump.known->from_frame;
        });
    for (size_t j = 0; j < one.jumps.size(); ++j) {
      if (one.jumps[j].known_and_fits() || one.from_frames[j] <= 0) continue;
      add_later_calibration(&camera, one.from_frames[j], one.jumps[j].turn->camera);
      added = true;
    }
    if (added) ++changed;
  }
  return changed;
}

}  // namespace vantage
