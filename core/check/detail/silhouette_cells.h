// Silhouettes on cells of a few pixels, and where a voxel falls on them: what the checks of silhouettes
// share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/geometry/camera.h"
#include "core/image/picture.h"

namespace vantage {

inline constexpr int kCell_px = 4;

struct Cells {
  int width = 0, height = 0;
  std::vector<uint8_t> set;
  Cells() = default;
  Cells(int w, int h) : width(w), height(h), set(static_cast<size_t>(w) * h) {}
  uint8_t& at(int x, int y) { return set[static_cast<size_t>(y) * width + x]; }
  uint8_t at(int x, int y) const { return set[static_cast<size_t>(y) * width + x]; }
};

// A cell is set when at least half of it is.
inline Cells shrink(const Image& mask) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  Cells cells((view.width + kCell_px - 1) / kCell_px, (view.height + kCell_px - 1) / kCell_px);
  std::vector<int> counts(cells.set.size());
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x)
      counts[static_cast<size_t>(y / kCell_px) * cells.width + x / kCell_px] += view.at(x, y) >= 128;
  for (size_t i = 0; i < counts.size(); ++i) cells.set[i] = 2 * counts[i] >= kCell_px * kCell_px;
  return cells;
}

// The cells that a voxel's projection touches; empty: the camera does not see the voxel.
struct Footprint {
  int16_t x0 = 0, y0 = 0, x1 = -1, y1 = -1;
  bool seen() const { return x1 >= x0; }
};

inline Footprint footprint(const Camera& camera, const Eigen::Vector3d& point, double voxel_m,
                           const Cells& cells) {
  if (!camera.sees(point)) return {};
  const Eigen::Vector2d pixel = *camera.project(point);
  const double depth_m = (camera.cam_from_world() * point).z();
  const double radius_px = 0.5 * voxel_m * camera.model().fx_px / depth_m;
  const auto cell = [](double px, int count) {
    return static_cast<int16_t>(
        std::clamp(static_cast<int>(std::floor((px + 0.5) / kCell_px)), 0, count - 1));
  };
  return {cell(pixel.x() - radius_px, cells.width), cell(pixel.y() - radius_px, cells.height),
          cell(pixel.x() + radius_px, cells.width), cell(pixel.y() + radius_px, cells.height)};
}

inline bool meets(const Footprint& f, const Cells& cells) {
  for (int y = f.y0; y <= f.y1; ++y)
    for (int x = f.x0; x <= f.x1; ++x)
      if (cells.at(x, y)) return true;
  return false;
}

inline void fill(const Footprint& f, Cells* cells) {
  for (int y = f.y0; y <= f.y1; ++y)
    for (int x = f.x0; x <= f.x1; ++x) cells->at(x, y) = 1;
}

}  // namespace vantage
