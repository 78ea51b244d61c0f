// The surface that a pixel is assumed to see, given how its height is expected to change from pixel to pixel.
// Plain: .cu files reach this header.
#pragma once

#include <cstdint>

namespace vantage {

enum class HeightSurface : uint8_t {
  // A vertical surface, as the source of the height maps has it: along the image of the vertical, which
  // points away
  // from the vertical vanishing point, the height rises by 1 / |v| metres a pixel, v being how far a point
  // moves in
  // the picture when it rises by a metre. Without bound where the camera looks straight down.
  vertical,
  // A round head: the mean slope over a sphere's visible half, which is the vertical surface's times the
  // squared
  // cosine of the angle by which the camera looks down; 0 where it looks straight down.
  round
};

}  // namespace vantage
