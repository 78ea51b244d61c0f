// Carving in double, voxel by voxel, from the definition in core/carving/carving.h. Slow and obvious; for
// tests.
//
// Beside each confidence stands its slack: how far the confidence may honestly be off when a voxel's place in
// a picture is off by up to kPlaceError_px: what carvers may leave between a polynomial and the projection
// (block_positions.h). The slack turns that into grey levels where the indicator is steep, or where the
// sample is about to leave the picture.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/geometry/voxel_grid.h"
#include "core/image/image_view.h"
#include "tests/reference/projection.h"

namespace vantage::reference {

inline constexpr double kPlaceError_px = 0.04;

// Whether the four pixels around (x, y) lie in the picture.
inline bool has_support(const ImageView<const uint8_t>& image, double x, double y) {
  const double left = std::floor(x), top = std::floor(y);
  return left >= 0 && top >= 0 && left + 1 <= image.width - 1 && top + 1 <= image.height - 1;
}

// Weighted mean of the four pixels around (x, y), 0 to 1; 0 when one of them is outside.
inline double sample(const ImageView<const uint8_t>& image, double x, double y) {
  if (!has_support(image, x, y)) return 0;
  const double left = std::floor(x), top = std::floor(y);
  double sum = 0;
  for (int dy = 0; dy < 2; ++dy)
    for (int dx = 0; dx < 2; ++dx) {
      const double weight = (1 - std::abs(x - (left + dx))) * (1 - std::abs(y - (top + dy)));
      sum += weight * image.at(static_cast<int>(left) + dx, static_cast<int>(top) + dy) / 255.0;
    }
  return sum;
}

// Between the ends of what is near and the pixels there a sample changes evenly.
inline std::vector<double> places_near(double place) {
  std::vector<double> places = {place - kPlaceError_px, place + kPlaceError_px};
  if (std::abs(place - std::round(place)) < kPlaceError_px) places.push_back(std::round(place));
  return places;
}

// `seen` may honestly come out the other way where `doubtful`; then the vote would be about `otherwise`.
struct ReferenceVote {
  double value = 0, slack = 0, otherwise = 0;
  bool seen = false, doubtful = false;
};

inline ReferenceVote vote(const PinholeCamera<double>& camera, const ImageView<const uint8_t>& image,
                          const Eigen::Vector3d& point_in_world) {
  const Projected p = project_anywhere(camera, point_in_world);
  if (std::abs(p.depth_m) < 1e-4) return {0, 1, 1, false, true};
  if (p.depth_m < 0) return {};
  const double fold = std::sqrt(camera.max_radius2);
  const bool near_fold = std::abs(p.radius - fold) < 1e-4 * fold;
  if (p.radius > fold && !near_fold) return {};
  ReferenceVote result;
  result.seen = p.radius <= fold && has_support(image, p.pixel.x(), p.pixel.y());
  result.value = result.seen ? sample(image, p.pixel.x(), p.pixel.y()) : 0;
  for (const double x : places_near(p.pixel.x()))
    for (const double y : places_near(p.pixel.y())) {
      const bool seen = has_support(image, x, y);
      result.doubtful = result.doubtful || seen != result.seen || near_fold;
      if (seen && result.seen)
        result.slack = std::max(result.slack, std::abs(sample(image, x, y) - result.value));
      if (seen && !result.seen) result.otherwise = std::max(result.otherwise, sample(image, x, y));
    }
  if (!result.seen) result.slack = result.otherwise;  // if seen, anything from 0 to that
  return result;
}

// The rule for voxels that only some cameras see, in its own words.
struct ReferenceRule {
  int min_cameras = 3;
  bool divide_by_all = false;
};

// The confidence that these votes give when the doubtful ones are decided by the bits of `flipped`, in order.
inline double confidence(const std::vector<ReferenceVote>& votes, size_t cameras, const ReferenceRule& rule,
                         unsigned flipped) {
  double sum = 0;
  size_t seeing = 0;
  for (const ReferenceVote& v : votes) {
    bool seen = v.seen;
    if (v.doubtful) {
      if (flipped & 1) seen = !seen;
      flipped >>= 1;
    }
    if (seen) sum += v.seen ? v.value : v.otherwise, ++seeing;
  }
  const size_t needed = std::min(static_cast<size_t>(std::max(1, rule.min_cameras)), cameras);
  if (seeing < needed) return 0;
  return sum / static_cast<double>(rule.divide_by_all ? cameras : seeing);
}

struct CarvedReference {
  VoxelGrid grid;
  std::vector<double> confidence, slack;  // by linear ID

  bool occupied(int x, int y, int z, double threshold) const {
    if (x < 0 || y < 0 || z < 0 || x >= grid.nx || y >= grid.ny || z >= grid.nz) return false;
    return confidence[grid.linear_id(x, y, z)] >= threshold;
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

// A null image view is a camera that sees nothing, as a missing indicator is.
inline CarvedReference carve(const std::vector<PinholeCamera<double>>& cameras,
                             const std::vector<ImageView<const uint8_t>>& indicators, const VoxelGrid& grid,
                             const ReferenceRule& rule) {
  CarvedReference result{grid, {}, {}};
  for (int z = 0; z < grid.nz; ++z)
    for (int y = 0; y < grid.ny; ++y)
      for (int x = 0; x < grid.nx; ++x) {
        const Eigen::Vector3d center(grid.center(0, x), grid.center(1, y), grid.center(2, z));
        std::vector<ReferenceVote> votes;
        double slack = 0;
        int doubtful = 0;
        for (size_t c = 0; c < cameras.size(); ++c) {
          if (!indicators[c].data) continue;
          votes.push_back(vote(cameras[c], indicators[c], center));
          slack += votes.back().slack;
          doubtful += votes.back().doubtful;
        }
        const double confident = confidence(votes, cameras.size(), rule, 0);
        double spread = 0;
        for (unsigned flipped = 1; flipped < 1u << doubtful; ++flipped)
          spread = std::max(spread, std::abs(confidence(votes, cameras.size(), rule, flipped) - confident));
        result.confidence.push_back(confident);
        // The fewest cameras that divide make a vote's slack weigh most.
        const size_t least = std::min(static_cast<size_t>(std::max(1, rule.min_cameras)), cameras.size());
        result.slack.push_back(spread +
                               slack / static_cast<double>(rule.divide_by_all ? cameras.size() : least));
      }
  return result;
}

}  // namespace vantage::reference
