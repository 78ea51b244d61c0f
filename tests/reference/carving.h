// Carving in double, voxel by voxel, from the definition in core/carving/carving.h. Slow and obvious; for
// tests.
//
// Beside each confidence stands its slack: how far the confidence may honestly be off when a projection is
// off by up to kProjectionError_px. Float projection of points some metres away onto pictures of some hundred
// pixels is that good (24 bits of mantissa leave 6e-5 px at pixel 1000; the geometry tests measure less than
// 1e-3 px in all), and the slack turns it into grey levels where the indicator is steep, or where the sample
// is about to leave the picture.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/geometry/voxel_grid.h"
#include "core/image/image_view.h"
#include "tests/reference/projection.h"

namespace vantage::reference {

inline constexpr double kProjectionError_px = 1e-3;

// Weighted mean of the four pixels around (x, y), 0 to 1; 0 when one of them is outside.
inline double sample(const ImageView<const uint8_t>& image, double x, double y) {
  const double left = std::floor(x), top = std::floor(y);
  if (!(left >= 0 && top >= 0 && left + 1 <= image.width - 1 && top + 1 <= image.height - 1)) return 0;
  double sum = 0;
  for (int dy = 0; dy < 2; ++dy)
    for (int dx = 0; dx < 2; ++dx) {
      const double weight = (1 - std::abs(x - (left + dx))) * (1 - std::abs(y - (top + dy)));
      sum += weight * image.at(static_cast<int>(left) + dx, static_cast<int>(top) + dy) / 255.0;
    }
  return sum;
}

struct Vote {
  double value = 0, slack = 0;
};

inline Vote vote(const PinholeCamera<double>& camera, const ImageView<const uint8_t>& image,
                 const Eigen::Vector3d& point_in_world) {
  const Projected p = project_anywhere(camera, point_in_world);
  if (std::abs(p.depth_m) < 1e-4) return {0, 1};
  if (p.depth_m < 0) return {};
  const double fold = std::sqrt(camera.max_radius2);
  const bool near_fold = std::abs(p.radius - fold) < 1e-4 * fold;
  if (p.radius > fold && !near_fold) return {};
  Vote result;
  result.value = p.radius > fold ? 0 : sample(image, p.pixel.x(), p.pixel.y());
  for (const double dx : {-kProjectionError_px, kProjectionError_px})
    for (const double dy : {-kProjectionError_px, kProjectionError_px}) {
      const double moved = sample(image, p.pixel.x() + dx, p.pixel.y() + dy);
      result.slack = std::max({result.slack, std::abs(moved - result.value), near_fold ? moved : 0.0});
    }
  return result;
}

struct CarvedReference {
  VoxelGrid grid;
  std::vector<double> confidence, slack;  // by linear ID

  bool occupied(int x, int y, int z, double threshold) const {
    if (x < 0 || y < 0 || z < 0 || x >= grid.nx || y >= grid.ny || z >= grid.nz) return false;
    return confidence[static_cast<size_t>(grid.linear_id(x, y, z))] >= threshold;
  }
  std::vector<uint32_t> shell_ids(double threshold) const {
    std::vector<uint32_t> ids;
    for (int z = 0; z < grid.nz; ++z)
      for (int y = 0; y < grid.ny; ++y)
        for (int x = 0; x < grid.nx; ++x) {
          const bool surrounded = occupied(x - 1, y, z, threshold) && occupied(x + 1, y, z, threshold) &&
                                  occupied(x, y - 1, z, threshold) && occupied(x, y + 1, z, threshold) &&
                                  occupied(x, y, z - 1, threshold) && occupied(x, y, z + 1, threshold);
          if (occupied(x, y, z, threshold) && !surrounded)
            ids.push_back(static_cast<uint32_t>(grid.linear_id(x, y, z)));
        }
    return ids;
  }
};

// A null image view contributes 0, as a missing indicator does.
inline CarvedReference carve(const std::vector<PinholeCamera<double>>& cameras,
                             const std::vector<ImageView<const uint8_t>>& indicators, const VoxelGrid& grid) {
  CarvedReference result{grid, {}, {}};
  for (int z = 0; z < grid.nz; ++z)
    for (int y = 0; y < grid.ny; ++y)
      for (int x = 0; x < grid.nx; ++x) {
        const Eigen::Vector3d center(grid.center(0, x), grid.center(1, y), grid.center(2, z));
        Vote sum;
        for (size_t c = 0; c < cameras.size(); ++c) {
          if (!indicators[c].data) continue;
          const Vote v = vote(cameras[c], indicators[c], center);
          sum.value += v.value, sum.slack += v.slack;
        }
        result.confidence.push_back(sum.value / static_cast<double>(cameras.size()));
        result.slack.push_back(sum.slack / static_cast<double>(cameras.size()));
      }
  return result;
}

}  // namespace vantage::reference
