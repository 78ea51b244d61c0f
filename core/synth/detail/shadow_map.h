// The light that people take from the floor: their cast shadows, softer the higher the limb, and the
// darkening around their feet. Computed on a raster of the floor once a frame.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/synth/detail/body.h"
#include "core/synth/detail/scene.h"

namespace vantage::synth {

class ShadowMap {
 public:
  ShadowMap(double area_m, const Light& light);

  struct Rectangle {
    double x0, y0, x1, y1;  // metres on the floor
  };
  // Forgets the last frame's. Returns the shadowed rectangle of each person.
  std::vector<Rectangle> cast(const std::vector<Body>& bodies);

  struct Shade {
    float key = 0;      // share of the lamp's light taken
    float ambient = 0;  // share of the other light taken
  };
  Shade at(float x_m, float y_m) const;

 private:
  struct Cells {
    int x0, y0, x1, y1;
  };
  Cells cells_of(const Rectangle& rectangle) const;
  Rectangle cast_part(const Ellipsoid& part);
  Rectangle darken_below(const Eigen::Vector3d& point, double radius_m, double strength);

  double origin_m_;
  int side_ = 0;  // cells
  Eigen::Vector3d towards_light_;
  std::vector<Shade> cells_;
  std::vector<Cells> used_;
};

}  // namespace vantage::synth
