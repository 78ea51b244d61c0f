// Where one camera's pixel may be in another's picture: its epipolar line, curved as that one's lens bends
// it.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/geometry/camera.h"

namespace vantage {

// Runs of pixels inside the picture of `in`, along what the pixel of `from` may show from kNearest_m on to
// kFarthest_m; none where that camera sees nothing of it.
inline constexpr double kNearest_m = 0.2, kFarthest_m = 200;
std::vector<std::vector<Eigen::Vector2d>> epipolar_line(const Camera& from, const Eigen::Vector2d& pixel_px,
                                                        const Camera& in);

}  // namespace vantage
