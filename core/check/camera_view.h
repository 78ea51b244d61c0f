// Does a camera show the same view throughout its recording? And how does it stand from where it does not?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/stop_token.h"
#include "core/check/check.h"
#include "core/check/view_jump.h"

namespace vantage {

// A jump, and the turn that explains it where the camera is calibrated.
struct SolvedJump {
  ViewJump jump;
  std::optional<JumpTurn> turn;   // from how the camera stood before this jump
  std::optional<double> floor_m;  // median shift of places on the floor against the calibration

  // A turn alone leaves little of the jump: the camera was not moved besides.
  bool solved() const;
};
// `calibration`: of the start of the recording. `grid`: of the region; null: nothing is said about the floor.
std::vector<SolvedJump> solve_jumps(const ViewFinding& found, const std::optional<Camera>& calibration,
                                    const VoxelGrid* grid);

// Reads pictures of a video, which is opened when the first is asked for.
ReadView view_reader(const std::string& video, const StopSource& stop);

// Looks at so many pictures of the whole video, and at more where the view jumped.
inline constexpr int kWatchedViews = 24;
Result<ViewFinding> watch_view(const std::string& video, int pictures, const StopSource& stop);

// The verdict of check.h on "view". `views`: of pictures of that width. `rate`: of the camera, frames/s.
CheckItem examine_view(const ProjectCamera& camera, const std::vector<TimedView>& views, int width_px,
                       const VoxelGrid* grid, double rate, const StopSource& stop);

}  // namespace vantage
