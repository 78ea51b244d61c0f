// What moves in a picture of a recording: somebody who sways in one place covers it with the same colours
// again and again, as a wall would, but is seldom as still as a wall.
//
// Two pictures a moment apart are compared by the mean brightness of their cells, kMotionCell x kMotionCell
// pixels, less the median change, which is one of the light. A cell moves where the rest exceeds 4 8-bit
// steps and 4 times the median of all cells, which is the noise of sensor and codec; cells without two moving
// ones around them are left out. The middle of a trunk shows the same cloth in both pictures, so moving cells
// are joined over gaps: a morphological closing by a fortieth of the longer side.
#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

inline constexpr int kMotionCell = 4;  // pixels; a whole number of the scene's 2x2 blocks

// u8 by cell, 255: it moves; cells at the right and lower border may be smaller. `later` has the picture's
// format; both in host memory, of any layout. Errors: invalid_argument for other pictures; out_of_memory.
Result<Image> moving_cells(const Picture& picture, const Picture& later);

}  // namespace vantage
