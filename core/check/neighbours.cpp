#include "core/check/neighbours.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace vantage {
namespace {

// Places on the floor and at the height of a chest, over the whole region: cameras that show no floor show
// people all the same.
constexpr int kPlaces = 32;  // a side
constexpr double kChest_m = 1.3;
// Cameras that see the floor's middle from directions as far apart as that are as good as any.
constexpr double kFromElsewhere = std::numbers::pi / 6;

struct SeenPlaces {
  std::vector<uint64_t> bits;  // by place, in words of 64
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
};

SeenPlaces places_seen(const Camera& camera, const VoxelGrid& grid) {
  SeenPlaces seen;
  seen.bits.resize((2 * kPlaces * kPlaces + 63) / 64);
  const double width_m = grid.nx * grid.voxel_size_m, depth_m = grid.ny * grid.voxel_size_m,
               chest_m = std::min(kChest_m, grid.nz * grid.voxel_size_m);
  size_t place = 0;
  double count = 0;
  for (const double height_m : {0.0, chest_m})
    for (int y = 0; y < kPlaces; ++y)
      for (int x = 0; x < kPlaces; ++x, ++place) {
        const Eigen::Vector3d at =
            Eigen::Vector3d(grid.origin_in_world_m[0], grid.origin_in_world_m[1], grid.origin_in_world_m[2]) +
            Eigen::Vector3d((x + 0.5) / kPlaces * width_m, (y + 0.5) / kPlaces * depth_m, height_m);
        if (!camera.sees(at)) continue;
        seen.bits[place / 64] |= uint64_t{1} << (place % 64);
        seen.middle += at, ++count;
      }
  if (count > 0) seen.middle /= count;
  return seen;
}

int shared(const SeenPlaces& a, const SeenPlaces& b) {
  int count = 0;
  for (size_t word = 0; word < a.bits.size(); ++word) count += std::popcount(a.bits[word] & b.bits[word]);
  return count;
}

double angle_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// Neighbours of one camera, best first: each shares most, the less counted the nearer it looks from where the
// camera or one chosen before does. Ties: the lower number.
std::vector<size_t> chosen_for(size_t own, const std::vector<Camera>& cameras,
                               const std::vector<SeenPlaces>& seen) {
  std::vector<Eigen::Vector3d> directions;  // from the middle of what the camera sees
  std::vector<double> apart(cameras.size(), std::numbers::pi), share;
  for (size_t c = 0; c < cameras.size(); ++c) {
    directions.push_back(cameras[c].center_in_world_m() - seen[own].middle);
    share.push_back(c == own ? 0 : shared(seen[own], seen[c]));
  }
  std::vector<size_t> chosen;
  for (size_t last = own; chosen.size() < kMaxNeighbours;) {
    double most = 0;
    size_t best = cameras.size();
    for (size_t c = 0; c < cameras.size(); ++c) {
      if (share[c] == 0) continue;
      apart[c] = std::min(apart[c], angle_between(directions[c], directions[last]));
      const double worth = share[c] * (0.1 + std::min(apart[c], kFromElsewhere) / kFromElsewhere);
      if (worth > most) most = worth, best = c;
    }
    if (best == cameras.size()) break;
    chosen.push_back(best);
    share[best] = 0, last = best;
  }
  return chosen;
}

}  // namespace

Neighbours neighbours_of(const std::vector<Camera>& cameras, const VoxelGrid& grid) {
  Neighbours neighbours(cameras.size());
  if (cameras.size() <= kMaxNeighbours + 1) {
    for (size_t c = 0; c < cameras.size(); ++c)
      for (size_t other = 0; other < cameras.size(); ++other)
        if (other != c) neighbours[c].push_back(other);
    return neighbours;
  }
  std::vector<SeenPlaces> seen;
  for (const Camera& camera : cameras) seen.push_back(places_seen(camera, grid));
  for (size_t c = 0; c < cameras.size(); ++c) {
    neighbours[c] = chosen_for(c, cameras, seen);
    std::sort(neighbours[c].begin(), neighbours[c].end());
  }
  return neighbours;
}

}  // namespace vantage
