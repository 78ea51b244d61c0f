// Does a camera show the same view throughout the recording? Verdict of check.h on "view".
#pragma once

#include "core/base/stop_token.h"
#include "core/check/check.h"
#include "core/check/detail/sample.h"

namespace vantage {

// `grid`: of the region; null where there is none. `rate`: of the camera, in frames/s. Reads more pictures of
// the video where the view jumped.
CheckItem examine_view(const ProjectCamera& camera, const CameraSample& sample, const VoxelGrid* grid,
                       double rate, const StopSource& stop);

}  // namespace vantage
