// A point that a person clicked in the cameras' pictures: a mark, a corner, anything that stands still and
// that several cameras show.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace vantage {

struct PointClick {
  std::string camera;
  Eigen::Vector2d at_px = {0, 0};  // pixel (0, 0) is the centre of the first pixel
  bool operator==(const PointClick&) const = default;
};

struct ClickedPoint {
  std::string name;                        // differs from all others
  std::vector<PointClick> clicks;          // at most one a camera
  std::optional<Eigen::Vector3d> known_m;  // its coordinates in the world, where they were measured
  bool operator==(const ClickedPoint&) const = default;
};

}  // namespace vantage
