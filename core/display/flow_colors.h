// Optical flow in colour over a picture: the hue is the direction, the longer the more opaque.
#pragma once

#include <array>
#include <cstdint>

#include "core/pipeline/artifacts.h"

namespace vantage {

// The length that full colour stands for, a round number of pixels, so that nearly all that moves stays below
// it; 1 where nothing moves.
double flow_full_px(const FlowArtifact& flow);

// Red, green, blue and opacity, 0 to 255, of a vector in pixels; clear where hardly anything moves.
std::array<uint8_t, 4> flow_rgba(double dx_px, double dy_px, double full_px);

}  // namespace vantage
