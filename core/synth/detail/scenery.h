// Changing parts of a scene that are not people: bushes whose leaves sway, screens, chairs that are moved.
// Made of ellipsoids as people are, so that they hide people, are hidden by them, and cast shadows.
#pragma once

#include <vector>

#include "core/synth/detail/body.h"
#include "core/synth/synth.h"

namespace vantage::synth {

class Scenery {
 public:
  Scenery() = default;
  // `length_s`: of the recording, whose walk begins at time 0.
  static Scenery make(const SynthOptions& options, double length_s);

  // Bodies at a time of the walk; before it begins, in their initial state. They point into this.
  std::vector<Body> pose(double time_s) const;

 private:
  struct Leaf {
    Eigen::Vector3d center_in_world_m;
    Eigen::Matrix3d axes;
    Eigen::Vector3d radii_m, sway_m;
    double turns_per_s = 1, phase = 0;
    int material = 0;
  };
  struct Screen {
    Ellipsoid part;
    double pictures_per_s = 1;
    uint64_t salt = 0;
  };
  struct Chair {
    Eigen::Vector3d before_m, after_m;  // position of its middle on the floor
    double turn_before = 0, turn_after = 0, moved_s = 0;
    Material material;
  };
  Body pose_bush(const std::vector<Leaf>& leaves, double time_s) const;
  Body pose_screen(const Screen& screen, double time_s) const;
  static Body pose_chair(const Chair& chair, double time_s);

  std::vector<std::vector<Leaf>> bushes_;
  std::vector<Screen> screens_;
  std::vector<Chair> chairs_;
  std::vector<Material> leaf_materials_, screen_materials_;
};

}  // namespace vantage::synth
