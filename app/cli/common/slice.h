// --slice: a plane through the volume.
#pragma once

#include <string>

#include "core/carving/cut.h"

namespace vantage::cli {

// "z=1.0": the axis that it is across, and where, in metres. Anything else is wrong usage.
CutPlane parse_slice(const std::string& text);

}  // namespace vantage::cli
