// Farnebäck optical flow in double precision, slow and by the definition: every step spelt out per pixel, the
// polynomial fitted by weighted least squares, the window summed directly. Conventions as in
// core/optical_flow/optical_flow.h; shares no code with it.
#pragma once

#include <algorithm>
#include <vector>

namespace vantage::reference {

struct FlowSettings {
  int levels = 5;
  double pyramid_scale = 0.5;
  int window = 5, iterations = 10, poly_n = 5;
  double poly_sigma = 1.1;
  bool gaussian = false;
};

struct Plane {
  int width = 0, height = 0;
  std::vector<double> values;
  Plane(int w, int h) : width(w), height(h), values(static_cast<size_t>(w) * static_cast<size_t>(h)) {}
  double& at(int x, int y) {
    return values[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
  double at(int x, int y) const {
    return values[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
  double repeated(int x, int y) const {
    return at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1));
  }
};

struct Flow {
  Plane dx, dy;
};

// `initial`: full size; null: none.
Flow optical_flow(const Plane& first, const Plane& second, const FlowSettings& settings,
                  const Flow* initial = nullptr);

}  // namespace vantage::reference
