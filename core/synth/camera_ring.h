// Cameras evenly on a ring, looking at the area's centre, wide enough to hold the whole area. The ring lies
// round the area 2.5 to 3 m high or, `overhead`, above it: then the line of sight to the centre is about 15
// degrees off the vertical and every camera sees the heads of everybody in the area.
#pragma once

#include <vector>

#include "core/geometry/camera.h"
#include "core/synth/synth.h"

namespace vantage::synth {

Result<std::vector<Camera>> make_camera_ring(const SynthOptions& options);

// Places and turns the camera: at `center_m`, towards `target_m`, rolled clockwise.
void aim_camera(const Eigen::Vector3d& center_m, const Eigen::Vector3d& target_m, CameraLayout layout,
                double roll_rad, PinholeCamera<double>* model);

}  // namespace vantage::synth
