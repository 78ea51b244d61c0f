// The scene's point of view: turns about a target with z up (3-D), or looks straight down with y up (Top).
#pragma once

#include <Eigen/Core>
#include <QMatrix4x4>

class vtkCamera;

namespace vantage::ui {

// OpenGL's clip coordinates of a world point as that camera sees it.
QMatrix4x4 clip_from_world(vtkCamera& camera, double aspect);

class OrbitCamera {
 public:
  // Looks at a box, all of it in view; `top` keeps its meaning. The given direction is the starting one.
  void frame(const Eigen::Vector3d& low_m, const Eigen::Vector3d& high_m);
  void set_top(bool top) { top_ = top; }
  bool top() const { return top_; }

  // By a drag in pixels of a view `height_px` high.
  void orbit(double dx_px, double dy_px);
  void pan(double dx_px, double dy_px, double height_px);
  void zoom(double factor);  // above 1: nearer
  void look_at(const Eigen::Vector3d& target_m) { target_m_ = target_m; }

  void apply(vtkCamera& camera, double aspect) const;
  // At the target; in the view from above, anywhere.
  double pixels_per_metre(double width_px, double height_px) const;

 private:
  Eigen::Vector3d direction() const;  // from the target to the eye, unit length
  Eigen::Vector3d up() const;
  double room(double aspect) const;
  double half_height_m() const;  // of what is visible at the target

  Eigen::Vector3d target_m_ = {0, 0, 0.8};
  double azimuth_ = -1.0, elevation_ = 0.5;  // radians
  double distance_m_ = 8;
  double extent_m_ = 8;
  bool top_ = false;
};

}  // namespace vantage::ui
