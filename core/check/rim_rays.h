// Rays through the rims of silhouettes, and how far they miss the silhouettes of the other cameras.
//
// A camera's silhouette must lie in what the silhouettes of its neighbours leave of space. A ray on which no
// place lies in all of theirs misses them, by as many pixels as the farthest of them is away at the
// place where that is least (silhouette coherence: C. Hernandez, F. Schmitt, R. Cipolla, "Silhouette
// coherence for camera calibration under circular motion", IEEE PAMI 29, 2007).
#pragma once

#include <span>
#include <vector>

#include "core/check/distance_map.h"
#include "core/check/neighbours.h"
#include "core/geometry/camera_change.h"

namespace vantage {

// A camera as it stands, or as it would after a change.
struct RimView {
  Camera camera;
  Eigen::Matrix3d world_from_cam;
  Eigen::Vector3d center_in_world_m;
  double focal_factor = 1;  // of the camera in which the rims were measured
};

struct RimRay {
  size_t camera, instant;
  Eigen::Vector2d slope;  // x/z and y/z in the camera, as the lens was measured
};

struct RimMiss {
  double px = 0;       // in the picture that is missed by most; 0: no miss
  double at_m = 0;     // along the ray
  size_t camera = 0;   // that is missed by most; the ray's own: none
  double pixel_m = 0;  // how far a pixel of it reaches there
  bool known = false;  // some place of the ray is seen by two neighbours, or by all where there is one
};

class RimRays {
 public:
  // Misses are said up to `largest_px`. Rays are followed through the grid and a margin around it.
  RimRays(Neighbours neighbours, const VoxelGrid& grid, double largest_px);

  // One instant. `masks`: u8, 0 or 255, host memory; an empty Image: none. `views`: unchanged.
  void add(std::span<const Image> masks, const std::vector<RimView>& views);

  size_t size() const { return rays_.size(); }
  const RimRay& ray(size_t index) const { return rays_[index]; }
  double largest_px() const { return largest_px_; }
  // How many of its neighbours have silhouettes at the same instants.
  int partners(size_t camera) const;
  // The rays whose misses the camera has a part in: its own and those of cameras whose neighbour it is.
  std::vector<size_t> rays_of(size_t camera) const;

  // The misses of those rays. `near`: theirs by views that differ little, or empty.
  std::vector<RimMiss> misses(const std::vector<size_t>& rays, const std::vector<RimView>& views,
                              const std::vector<RimMiss>& near) const;
  // The miss of one ray, searched only near `at_m` along it.
  RimMiss miss_near(size_t ray, const std::vector<RimView>& views, double at_m) const;

 private:
  RimMiss miss_at(const RimRay& ray, const Eigen::Vector3d& direction, const std::vector<RimView>& views,
                  double at_m, double give_up_px) const;
  RimMiss miss(size_t ray, const std::vector<RimView>& views, const RimMiss* near) const;

  Neighbours neighbours_;
  VoxelGrid grid_;
  double largest_px_;
  std::vector<RimRay> rays_;
  std::vector<std::vector<DistanceMap>> maps_;  // by instant and camera
};

}  // namespace vantage
