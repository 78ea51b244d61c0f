#include "core/display/shell_points.h"

#include <algorithm>
#include <cmath>

#include "core/image/color_map.h"

namespace vantage {

std::vector<ShellPoint> shell_points(const VoxelGrid& grid, std::span<const uint32_t> ids,
                                     const Image& confidence) {
  const bool kept = confidence && confidence.place().kind == MemoryKind::host;
  const ImageView<const float> values = kept ? confidence.view<float>() : ImageView<const float>{};
  const auto nx = static_cast<uint32_t>(grid.nx), ny = static_cast<uint32_t>(grid.ny);
  std::vector<ShellPoint> points(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    const uint32_t row = ids[i] / nx;
    const int x = static_cast<int>(ids[i] % nx), y = static_cast<int>(row % ny),
              z = static_cast<int>(row / ny);
    points[i] = {static_cast<float>(grid.center(0, x)), static_cast<float>(grid.center(1, y)),
                 static_cast<float>(grid.center(2, z)), kept ? values.at(x, static_cast<int>(row)) : 1.0f};
  }
  return points;
}

MarkColor shell_color_by_height(double height_m) {
  return mapped_color(kViridis, height_m / kShellFullHeight_m);
}

MarkColor shell_color_by_person(double x_m, double y_m, std::span<const ShellPerson> people) {
  MarkColor color = kShellNobody;
  double nearest = kShellPersonReach_m * kShellPersonReach_m;
  for (const ShellPerson& person : people) {
    const double dx = x_m - person.x_m, dy = y_m - person.y_m, squared = dx * dx + dy * dy;
    if (squared < nearest) nearest = squared, color = person.color;
  }
  return color;
}

double ball_light(double x, double y) {
  const double length = std::sqrt(0.5 * 0.5 + 0.7 * 0.7 + 0.6 * 0.6);
  const double z = std::sqrt(std::max(0.0, 1 - x * x - y * y));
  return 0.6 + 0.4 * std::max(0.0, (-0.5 * x - 0.7 * y + 0.6 * z) / length);
}

}  // namespace vantage
