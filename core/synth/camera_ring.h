// Cameras evenly on a ring round the area, 2.5 to 3 m high, looking at its centre, wide enough to hold the
// whole area.
#pragma once

#include <vector>

#include "core/geometry/camera.h"
#include "core/synth/synth.h"

namespace vantage::synth {

Result<std::vector<Camera>> make_camera_ring(const SynthOptions& options);

}  // namespace vantage::synth
