// Preconditions of every carver, whatever its device.
#pragma once

#include <span>

#include "core/base/result.h"
#include "core/carving/carving.h"

namespace vantage {

// invalid_argument: no or too many cameras, a picture of more than 32767 pixels a side, an empty grid, more
// than 2^31 - 1 voxels.
Status check_arguments(const Carver::Arguments& arguments);

// invalid_argument: not one indicator per camera, another type or size than the camera's picture, or not in
// the carver's memory. Empty images pass.
Status check_indicators(std::span<const Image> indicators, std::span<const PinholeCamera<float>> cameras,
                        MemoryPlace place);

}  // namespace vantage
