#include "core/check/rim_rays.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr size_t kMaxRays = 48;    // of a silhouette
constexpr double kStep_m = 0.04;   // along a ray
constexpr int kFineSteps = 4;      // of a step, where a ray misses least
constexpr double kMargin_m = 0.2;  // around the grid
constexpr double kNearest_m = 0.2;
// Share of the distance that a ray has to go at least until it misses less: distances are known to 8 %, and a
// point may come nearer to the camera.
constexpr double kSkip = 0.5;

// Set pixels with one next to them that is not, spread over all.
std::vector<Vector2d> rim_of(const Image& mask) {
  const ImageView<const uint8_t> view = mask.view<uint8_t>();
  const auto set = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < view.width && y < view.height && view.at(x, y) >= 128;
  };
  std::vector<Vector2d> rim, chosen;
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x)
      if (set(x, y) && !(set(x - 1, y) && set(x + 1, y) && set(x, y - 1) && set(x, y + 1)))
        rim.emplace_back(x, y);
  const size_t count = std::min(rim.size(), kMaxRays);
  for (size_t i = 0; i < count; ++i) chosen.push_back(rim[rim.size() * (2 * i + 1) / (2 * count)]);
  return chosen;
}

Vector3d direction_in_world(const RimRay& ray, const RimView& own) {
  return own.world_from_cam * Vector3d(ray.slope.x(), ray.slope.y(), own.focal_factor).normalized();
}

// The span in which a ray runs through the grid and its margin, metres along it.
std::pair<double, double> span_within(const VoxelGrid& grid, const Vector3d& origin,
                                      const Vector3d& direction) {
  const int counts[3] = {grid.nx, grid.ny, grid.nz};
  double first = kNearest_m, last = INFINITY;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = grid.origin_in_world_m[axis] - kMargin_m,
                 high = grid.origin_in_world_m[axis] + counts[axis] * grid.voxel_size_m + kMargin_m;
    double from = (low - origin[axis]) / direction[axis], to = (high - origin[axis]) / direction[axis];
    if (from > to) std::swap(from, to);
    first = std::max(first, from), last = std::min(last, to);
  }
  return {first, last};
}

}  // namespace

RimRays::RimRays(Neighbours neighbours, const VoxelGrid& grid, double largest_px)
    : neighbours_(std::move(neighbours)), grid_(grid), largest_px_(largest_px) {}

void RimRays::add(std::span<const Image> masks, const std::vector<RimView>& views) {
  const size_t cameras = neighbours_.size();
  auto& maps = maps_.emplace_back(cameras);
  std::vector<std::vector<Vector2d>> rims(cameras);
  tbb::parallel_for(size_t{0}, cameras, [&](size_t c) {
    if (masks[c]) maps[c] = DistanceMap(masks[c], largest_px_), rims[c] = rim_of(masks[c]);
  });
  for (size_t c = 0; c < cameras; ++c)
    for (const Vector2d& pixel : rims[c])
      if (const auto slope = views[c].camera.undistort(pixel)) rays_.push_back({c, maps_.size() - 1, *slope});
}

int RimRays::partners(size_t camera) const {
  const std::vector<size_t>& others = neighbours_[camera];
  return static_cast<int>(std::count_if(others.begin(), others.end(), [&](size_t c) {
    return std::any_of(maps_.begin(), maps_.end(),
                       [&](const auto& maps) { return !maps[c].empty() && !maps[camera].empty(); });
  }));
}

std::vector<size_t> RimRays::rays_of(size_t camera) const {
  std::vector<bool> its(neighbours_.size());
  for (size_t c = 0; c < neighbours_.size(); ++c)
    its[c] = c == camera || std::binary_search(neighbours_[c].begin(), neighbours_[c].end(), camera);
  std::vector<size_t> rays;
  for (size_t i = 0; i < rays_.size(); ++i)
    if (its[rays_[i].camera]) rays.push_back(i);
  return rays;
}

// Looks no further once it misses by more than `give_up_px`.
RimMiss RimRays::miss_at(const RimRay& ray, const Vector3d& direction, const std::vector<RimView>& views,
                         double at_m, double give_up_px) const {
  const Vector3d place = views[ray.camera].center_in_world_m + at_m * direction;
  RimMiss miss{0, at_m, ray.camera, 0, false};
  size_t seeing = 0, others = 0;
  for (const size_t c : neighbours_[ray.camera]) {
    const DistanceMap& map = maps_[ray.instant][c];
    if (map.empty()) continue;
    ++others;
    const auto pixel = views[c].camera.project(place);
    if (!pixel || !map.covers(*pixel)) continue;
    ++seeing;
    if (miss.px >= give_up_px) continue;
    const double px = map.at(*pixel);
    if (px <= miss.px) continue;
    const double distance_m = (place - views[c].center_in_world_m).norm();
    miss.px = px, miss.camera = c, miss.pixel_m = distance_m / views[c].camera.model().fx_px;
  }
  miss.known = seeing > 0 && seeing >= std::min<size_t>(2, others);
  return miss;
}

RimMiss RimRays::miss_near(size_t index, const std::vector<RimView>& views, double at_m) const {
  const RimRay& ray = rays_[index];
  const Vector3d direction = direction_in_world(ray, views[ray.camera]);
  RimMiss best{INFINITY, at_m, ray.camera, 0, false};
  for (int i = -kFineSteps; i <= kFineSteps && best.px > 0; ++i) {
    const RimMiss one = miss_at(ray, direction, views, at_m + i * kStep_m / kFineSteps, best.px);
    if (one.known && one.px < best.px) best = one;
  }
  return best;
}

RimMiss RimRays::miss(size_t index, const std::vector<RimView>& views, const RimMiss* near) const {
  const RimRay& ray = rays_[index];
  const RimView& own = views[ray.camera];
  const Vector3d direction = direction_in_world(ray, own);
  RimMiss best{largest_px_, 0, ray.camera, 0, false};
  if (near && near->known) {
    const RimMiss one = miss_near(index, views, near->at_m);
    if (one.known && one.px < best.px) best = one;
  }
  bool coarse = false;
  const auto [first, last] = span_within(grid_, own.center_in_world_m, direction);
  for (double at_m = first; at_m <= last && best.px > 0;) {
    const RimMiss one = miss_at(ray, direction, views, at_m, best.px);
    if (one.known && one.px < best.px) best = one, coarse = true;
    best.known = best.known || one.known;
    at_m += std::max(kStep_m, kSkip * (one.px - best.px) * one.pixel_m);
  }
  if (!coarse || best.px == 0) return best;
  const RimMiss fine = miss_near(index, views, best.at_m);
  return fine.known && fine.px < best.px ? fine : best;
}

std::vector<RimMiss> RimRays::misses(const std::vector<size_t>& rays, const std::vector<RimView>& views,
                                     const std::vector<RimMiss>& near) const {
  std::vector<RimMiss> all(rays.size());
  tbb::parallel_for(size_t{0}, rays.size(), [&](size_t i) {
    all[i] = miss(rays[i], views, near.empty() ? nullptr : &near[i]);
    if (!all[i].known) all[i].px = 0;
  });
  return all;
}

}  // namespace vantage
