// Points of several pictures joined into points of the scene, without being told which belong together:
// heads, feet, whatever a detector finds in each camera by itself. Greedy, not an optimum over all
// partitions; the steps: resources/docs/algorithms/triangulation.md.
//
// Every pair of rays of two cameras that pass each other within the gate proposes a point, at the position
// nearest to its rays (least squares of the distances to them, in metres). A ray is worth
//
//   weight * (1 - (distance / gate)^2) * (1 - (log(size / its proposal's size) / size_gate)^2)
//
// where sizes are known, and a proposal what its rays are, less unseen_penalty for each camera that sees it
// but has no such ray. Proposals nearer to a winner than the separation go; a winner nearer across the floor
// than the floor separation to one before is left out, and its rays are used up. A point that only two rays
// meet can be a ghost where four rays cross; min_views 3 excludes nearly all of them.
#pragma once

#include <span>
#include <vector>

#include "core/base/parameters.h"
#include "core/geometry/camera.h"

namespace vantage {

struct TriangulationParameters {
  double gate_m = 0.12;
  double unseen_penalty = 0.3;
  int min_views = 2;
  double min_height_m = 0.8;
  double max_height_m = 2.3;
  double separation_m = 0.25;
  double floor_separation_m = 0;
  double size_gate = 0.35;
  double min_size_m = 0, max_size_m = 100;
};
template <>
const ParameterTable& parameter_table<TriangulationParameters>();

struct PointInView {
  int camera = 0;
  double x_px = 0, y_px = 0;
  double weight = 1;  // above 0
  double size = 0;    // its height in the picture over the focal length; 0: unknown
};

struct TriangulatedPoint {
  Eigen::Vector3d point_in_world_m;
  double value = 0;         // as above
  double distance_m = 0;    // root mean square of the distances to its rays
  double size_m = 0;        // 0: unknown
  std::vector<int> points;  // which points of the input, by camera
};

// In the order in which they were chosen, the most valuable first. Points whose pixel has no ray are left
// out.
std::vector<TriangulatedPoint> triangulate(std::span<const Camera> cameras,
                                           std::span<const PointInView> points,
                                           const TriangulationParameters& parameters);

}  // namespace vantage
