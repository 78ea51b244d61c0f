// What every carver refuses, whatever its device.
#pragma once

#include "core/base/result.h"
#include "core/carving/carving.h"

namespace vantage {

// invalid_argument: no camera, an empty grid, more than 2^31 - 1 voxels.
Status check_arguments(const Carver::Arguments& arguments);

}  // namespace vantage
