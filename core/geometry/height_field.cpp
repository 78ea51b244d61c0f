#include "core/geometry/height_field.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vantage {
namespace {

struct Gradient {
  double x = 0, y = 0;  // metres a pixel
};

Gradient height_gradient(const Camera& camera, const HeightRays& rays, ImageView<const float> slopes, int x,
                         int y, double height_m, HeightSurface surface) {
  constexpr double kHalfRise_m = 0.05;
  const double slope_x = static_cast<double>(slopes.at(2 * x, y)),
               slope_y = static_cast<double>(slopes.at(2 * x + 1, y));
  const double* const c = rays.center_in_world_m;
  const double down = height_m - c[2];
  if (!std::isfinite(slope_x) || down >= -2 * kHalfRise_m) return {};
  const Eigen::Vector3d point(c[0] + down * slope_x, c[1] + down * slope_y, height_m);
  const Eigen::Vector3d rise(0, 0, kHalfRise_m);
  const auto above = camera.project(point + rise), below = camera.project(point - rise);
  if (!above || !below) return {};
  const Eigen::Vector2d v = (*above - *below) / (2 * kHalfRise_m);
  const double squared = v.squaredNorm();
  if (!(squared > 1e-9)) return {};
  const double flat = slope_x * slope_x + slope_y * slope_y;
  const double share = surface == HeightSurface::vertical ? 1.0 : flat / (1 + flat);
  return {share * v.x() / squared, share * v.y() / squared};
}

}  // namespace

Result<HeightRays> make_height_rays(const Camera& camera) {
  HeightRays rays;
  const Eigen::Vector3d center = camera.center_in_world_m();
  for (int i = 0; i < 3; ++i) rays.center_in_world_m[i] = center[i];
  VANTAGE_ASSIGN(rays.slopes,
                 Image::make(ImageType::f32, 2 * camera.width_px(), camera.height_px(), HostPool::shared()));
  const ImageView<float> slopes = rays.slopes.writable_view<float>();
  tbb::parallel_for(0, camera.height_px(), [&](int y) {
    for (int x = 0; x < camera.width_px(); ++x) {
      const std::optional<Ray> ray = camera.ray({x, y});
      const bool down = ray && ray->direction_in_world.z() < -1e-6;
      for (int i = 0; i < 2; ++i)
        slopes.at(2 * x + i, y) =
            down ? static_cast<float>(ray->direction_in_world[i] / ray->direction_in_world.z())
                 : std::numeric_limits<float>::quiet_NaN();
    }
  });
  return rays;
}

Result<HeightDifferences> make_height_differences(const Camera& camera, const HeightRays& rays,
                                                  double height_m, HeightSurface surface) {
  const int width = camera.width_px(), height = camera.height_px();
  HeightDifferences differences;
  for (Image* image : {&differences.right_m, &differences.down_m}) {
    VANTAGE_ASSIGN(*image, Image::make(ImageType::f32, width, height, HostPool::shared()));
  }
  const ImageView<const float> slopes = rays.slopes.view<float>();
  const ImageView<float> right = differences.right_m.writable_view<float>();
  const ImageView<float> down = differences.down_m.writable_view<float>();
  std::vector<Gradient> gradients(static_cast<size_t>(width) * static_cast<size_t>(height));
  const auto at = [&](int x, int y) -> Gradient& {
    return gradients[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  };
  tbb::parallel_for(0, height, [&](int y) {
    for (int x = 0; x < width; ++x) at(x, y) = height_gradient(camera, rays, slopes, x, y, height_m, surface);
  });
  tbb::parallel_for(0, height, [&](int y) {
    for (int x = 0; x < width; ++x) {
      right.at(x, y) = x + 1 < width ? static_cast<float>(-0.5 * (at(x, y).x + at(x + 1, y).x)) : 0.0f;
      down.at(x, y) = y + 1 < height ? static_cast<float>(-0.5 * (at(x, y).y + at(x, y + 1).y)) : 0.0f;
    }
  });
  return differences;
}

std::vector<double> shared_floor_m2(const std::vector<Camera>& cameras, double reach_m) {
  constexpr double kStep_m = 0.25;
  std::vector<double> seen(cameras.size());
  if (cameras.empty()) return seen;
  Eigen::Vector2d low = cameras.front().center_in_world_m().head<2>(), high = low;
  for (const Camera& camera : cameras) {
    low = low.cwiseMin(camera.center_in_world_m().head<2>());
    high = high.cwiseMax(camera.center_in_world_m().head<2>());
  }
  std::vector<bool> sees(cameras.size());
  for (double y = low.y() - reach_m; y <= high.y() + reach_m; y += kStep_m)
    for (double x = low.x() - reach_m; x <= high.x() + reach_m; x += kStep_m) {
      for (size_t c = 0; c < cameras.size(); ++c) sees[c] = cameras[c].sees({x, y, 0});
      if (std::count(sees.begin(), sees.end(), true) < 2) continue;
      for (size_t c = 0; c < cameras.size(); ++c) seen[c] += sees[c] ? kStep_m * kStep_m : 0;
    }
  return seen;
}

size_t camera_that_sees_most_floor(const std::vector<Camera>& cameras) {
  const std::vector<double> seen = shared_floor_m2(cameras);
  return static_cast<size_t>(std::max_element(seen.begin(), seen.end()) - seen.begin());
}

}  // namespace vantage
