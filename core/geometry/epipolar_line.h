// The epipolar line of one camera's pixel in another's picture, curved by the other's lens.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage {

// Runs of pixels inside the picture of `in`: the ray of the pixel of `from` between kNearest_m and
// kFarthest_m. None if `in` sees nothing of it.
inline constexpr double kNearest_m = 0.2, kFarthest_m = 200;
std::vector<std::vector<Eigen::Vector2d>> epipolar_line(const Camera& from, const Eigen::Vector2d& pixel_px,
                                                        const Camera& in);

}  // namespace vantage
