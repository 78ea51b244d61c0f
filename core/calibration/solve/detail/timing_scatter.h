// Uncertainty of the times of an adjustment's cameras, by the scatter of stretches of its boards.
#pragma once

#include <array>
#include <vector>

#include "core/calibration/solve/bundle.h"

namespace ceres {
struct CRSMatrix;
}

namespace vantage {

// BundleReport::timing_scatter, of a report whose residuals and indices are filled. `jacobian`: two rows a
// corner, columns in the order of the covariance; residuals beyond `loss_px`, by camera, count as that.
std::vector<std::array<double, kTimingValues>> timing_scatter(const Bundle& bundle,
                                                              const ceres::CRSMatrix& jacobian,
                                                              const std::vector<double>& loss_px,
                                                              const BundleReport& report);

}  // namespace vantage
