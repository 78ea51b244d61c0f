// The scene's point of view: turns about a target with z up (3-D), or looks straight down with y up (Top).
// Window and figures share it.
#pragma once

#include <Eigen/Core>

namespace vantage {

// How a view of some size sees the world. Nothing behind the eye.
class SceneProjection {
 public:
  struct Pixel {
    Eigen::Vector2d px;  // (0, 0) is the upper left corner of the first pixel
    double depth = 0;    // smaller: nearer; linear along a straight line of the view
    double px_per_m = 0;
  };
  // In the view's axes, metres: to the right, down, ahead.
  Eigen::Vector3d in_view_m(const Eigen::Vector3d& point_in_world_m) const {
    return axes_ * (point_in_world_m - eye_m_);
  }
  bool visible(const Eigen::Vector3d& in_view_m) const { return parallel_ || in_view_m.z() >= kNearest_m; }
  // The pixel of a visible point.
  Pixel pixel(const Eigen::Vector3d& in_view_m) const;
  // The line of sight of a pixel: from a point along a direction whose step is a metre ahead, in the world.
  struct Sight {
    Eigen::Vector3d from_m, along;
  };
  Sight sight(double x_px, double y_px) const;
  double depth_at(double ahead_m) const { return parallel_ ? ahead_m : -1 / ahead_m; }
  const Eigen::Vector3d& eye_m() const { return eye_m_; }
  Eigen::Vector3d right() const { return axes_.row(0); }  // in the world

  static constexpr double kNearest_m = 0.01;

 private:
  friend class OrbitCamera;
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Identity();  // rows: right, down, ahead
  Eigen::Vector3d eye_m_ = {0, 0, 0};
  Eigen::Vector2d middle_px_ = {0, 0};
  double scale_px_ = 1;  // focal length; parallel: pixels a metre
  bool parallel_ = false;
};

class OrbitCamera {
 public:
  static constexpr double kViewAngle_rad = 35 * 3.14159265358979323846 / 180;  // from top to bottom
  static constexpr double kStartAzimuth_rad = -1.0, kStartElevation_rad = 0.5;
  static constexpr double kLowest_rad = -0.2, kHighest_rad = 1.55;

  // Looks at a box, all of it in view; `top` keeps its meaning. The given direction is the starting one.
  void frame(const Eigen::Vector3d& low_m, const Eigen::Vector3d& high_m);
  void set_top(bool top) { top_ = top; }
  bool top() const { return top_; }

  // Moves by a drag in pixels of a view `height_px` high.
  void orbit(double dx_px, double dy_px);
  void pan(double dx_px, double dy_px, double height_px);
  void zoom(double factor);  // above 1: nearer
  void look_at(const Eigen::Vector3d& target_m) { target_m_ = target_m; }
  // Azimuth from x towards y, elevation above the floor: where the eye is, seen from the target.
  void look_from(double azimuth_rad, double elevation_rad);
  void set_distance_m(double distance_m) { distance_m_ = distance_m; }

  double azimuth_rad() const { return azimuth_; }
  double elevation_rad() const { return elevation_; }
  double distance_m() const { return distance_m_; }  // from the target
  const Eigen::Vector3d& target_m() const { return target_m_; }
  Eigen::Vector3d eye_m(double aspect) const;
  Eigen::Vector3d up() const;
  double half_height_m(double aspect) const;  // of what is visible at the target
  // At the target; in the view from above, anywhere.
  double pixels_per_metre(double width_px, double height_px) const;
  SceneProjection projection(double width_px, double height_px) const;

 private:
  Eigen::Vector3d direction() const;  // from the target to the eye, unit length
  double room(double aspect) const;

  Eigen::Vector3d target_m_ = {0, 0, 0.8};
  double azimuth_ = kStartAzimuth_rad, elevation_ = kStartElevation_rad;
  double distance_m_ = 8;
  double extent_m_ = 8;
  bool top_ = false;
};

}  // namespace vantage
