#include "core/display/flow_colors.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/optical_flow/flow_file.h"

namespace vantage {
namespace {

constexpr double kMaxOpaque = 0.75;
constexpr double kOpaqueSlope = 1.3;  // of the opacity over the length; full colour is opaque a little before
constexpr double kBareShare = 0.05;   // of full colour: shorter vectors are not drawn
constexpr int kSampleStep = 8;        // px, for the length of full colour
constexpr double kCovered = 0.98;     // of the moving samples stay below it
constexpr double kMoving_px = 0.25;

double next_round_length(double px) {
  double power = 1;
  while (true) {
    for (const double step : {1.0, 2.0, 5.0})
      if (px <= step * power) return step * power;
    power *= 10;
  }
}

}  // namespace

double flow_full_px(const FlowArtifact& flow) {
  std::vector<double> lengths;
  for (const CameraFlow& camera : flow.cameras) {
    if (!camera.field) continue;
    const ImageView<const float> vectors = camera.field.vectors.view<float>();
    for (int y = 0; y < camera.field.height; y += kSampleStep)
      for (int x = 0; x < camera.field.width; x += kSampleStep) {
        const float dx = vectors.at(2 * x, y), dy = vectors.at(2 * x + 1, y);
        if (is_known_flow(dx) && is_known_flow(dy) && std::hypot(dx, dy) > kMoving_px)
          lengths.push_back(std::hypot(dx, dy));
      }
  }
  if (lengths.empty()) return 1;
  const auto position =
      lengths.begin() + static_cast<ptrdiff_t>(kCovered * static_cast<double>(lengths.size() - 1));
  std::nth_element(lengths.begin(), position, lengths.end());
  return next_round_length(*position);
}

std::array<uint8_t, 4> flow_rgba(double dx_px, double dy_px, double full_px) {
  const double length = std::hypot(dx_px, dy_px) / full_px;
  if (length < kBareShare) return {0, 0, 0, 0};
  uint8_t rgb[3];
  flow_color(dx_px / full_px, dy_px / full_px, rgb);
  const auto alpha = static_cast<uint8_t>(255 * kMaxOpaque * std::min(1.0, kOpaqueSlope * length));
  return {rgb[0], rgb[1], rgb[2], alpha};
}

}  // namespace vantage
