// A camera's offset along the recording: one line through what was measured in windows.
#pragma once

#include <vector>

namespace vantage::sync_detail {

struct DriftPoint {
  double base_frame = 0, offset = 0, sigma = 1;
};

struct DriftLine {
  double intercept = 0, sigma = 0;  // of the intercept
  double slope = 0, slope_sigma = 0;
  double at(double base_frame) const { return intercept + slope * base_frame; }
};

// Robust by Huber's weights: residuals beyond 1.5 sigma count less. At least one point, in the order of time.
// Level unless the slope is clearly not none.
DriftLine fit_drift(const std::vector<DriftPoint>& points);
DriftLine fit_level(const std::vector<DriftPoint>& points);

}  // namespace vantage::sync_detail
