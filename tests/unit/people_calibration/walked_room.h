// Four cameras round a room in which people walk: bodies of points, whose outlines are exact from every side.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/calibration/people/people_solve.h"

namespace vantage::walked_room {

inline constexpr int kCameras = 4, kFrames = 72;
inline constexpr size_t kMoved = 2;

// Round a room, looking at its middle.
inline Camera camera_at(const std::string& name, double angle, double height_m, double roll_deg) {
  const Eigen::Vector3d center(5 * std::cos(angle), 5 * std::sin(angle), height_m);
  const Eigen::Vector3d ahead = (Eigen::Vector3d(0, 0, 0.9) - center).normalized();
  const Eigen::Vector3d right = ahead.cross(Eigen::Vector3d::UnitZ()).normalized();
  Eigen::Matrix3d rotation;
  rotation.row(0) = right, rotation.row(1) = ahead.cross(right), rotation.row(2) = ahead;
  rotation = Eigen::AngleAxisd(roll_deg * M_PI / 180, Eigen::Vector3d::UnitZ()).toRotationMatrix() * rotation;
  PinholeCamera<double> model;
  model.width_px = 1280, model.height_px = 960;
  model.fx_px = model.fy_px = 900, model.cx_px = 640, model.cy_px = 480;
  const Eigen::Vector3d translation = -rotation * center;
  for (int i = 0; i < 9; ++i) model.rotation_cam_from_world[i] = rotation(i / 3, i % 3);
  for (int i = 0; i < 3; ++i) model.translation_cam_from_world_m[i] = translation[i];
  return Camera::make(name, model).value();
}

inline std::vector<Camera> room(double roll_deg = 0) {
  return {camera_at("cam1", 0.2, 2.6, roll_deg), camera_at("cam2", 1.8, 2.9, roll_deg),
          camera_at("cam3", 3.3, 2.4, roll_deg), camera_at("cam4", 4.9, 2.7, roll_deg)};
}

inline VoxelGrid region() {
  return {.origin_in_world_m = {-2, -2, 0}, .voxel_size_m = 0.05, .nx = 80, .ny = 80, .nz = 40};
}

inline CameraChange change_of(double degrees, int axis, double shift_m) {
  CameraChange change = CameraChange::Zero();
  change[axis] = degrees * M_PI / 180;
  change[3 + axis] = shift_m;
  return change;
}

// A body with arms, as points about its axis; it turns as it walks.
inline std::vector<Eigen::Vector3d> body(double x_m, double y_m, double height_m, double turn) {
  std::vector<Eigen::Vector3d> points;
  const auto add = [&](double across, double ahead, double z) {
    points.emplace_back(x_m + across * std::cos(turn) - ahead * std::sin(turn),
                        y_m + across * std::sin(turn) + ahead * std::cos(turn), z * height_m);
  };
  for (const double z : {0.0, 0.3, 0.6, 0.8, 0.95})
    for (int i = 0; i < 12; ++i) add(0.2 * std::cos(i * M_PI / 6), 0.13 * std::sin(i * M_PI / 6), z);
  for (int i = 0; i < 6; ++i) add(0.07 * std::cos(i * M_PI / 3), 0.07 * std::sin(i * M_PI / 3), 1);
  add(0.35, 0.1, 0.5), add(-0.3, -0.1, 0.45);
  return points;
}

struct Scene {
  int people = 2;
  bool walk = true;
  double noise_px = 0, hidden = 0;  // share of the outlines whose lower half is hidden
  unsigned seed = 7;
  double roll_deg = 0;  // of all cameras
};

// Corners of the convex hull, as outlines have them: points inside would cost time and change nothing.
inline std::vector<Eigen::Vector2d> convex_hull(std::vector<Eigen::Vector2d> points) {
  std::sort(points.begin(), points.end(), [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return std::pair(a.x(), a.y()) < std::pair(b.x(), b.y());
  });
  std::vector<Eigen::Vector2d> hull;
  for (int side = 0; side < 2; ++side) {
    const size_t begin = hull.size();
    for (const Eigen::Vector2d& point : points) {
      const auto bends_in = [&] {
        const Eigen::Vector2d a = hull.back() - hull[hull.size() - 2], b = point - hull.back();
        return a.x() * b.y() - a.y() * b.x() <= 0;
      };
      while (hull.size() >= begin + 2 && bends_in()) hull.pop_back();
      hull.push_back(point);
    }
    hull.pop_back();  // where the other side begins
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

inline PersonOutline outline_in(const Camera& camera, const std::vector<Eigen::Vector3d>& points,
                                const Scene& scene, std::mt19937& random) {
  std::normal_distribution<double> noise(0, scene.noise_px > 0 ? scene.noise_px : 1);
  PersonOutline outline;
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
  for (const Eigen::Vector3d& point : points) {
    Eigen::Vector2d at = *camera.project(point);
    if (scene.noise_px > 0) at += Eigen::Vector2d(noise(random), noise(random));
    outline.hull_px.push_back(at);
    left = std::min(left, at.x()), right = std::max(right, at.x());
    top = std::min(top, at.y()), bottom = std::max(bottom, at.y());
  }
  if (std::uniform_real_distribution<double>()(random) < scene.hidden) {
    bottom = (top + bottom) / 2;
    std::erase_if(outline.hull_px, [&](const Eigen::Vector2d& at) { return at.y() > bottom; });
  }
  outline.hull_px = convex_hull(std::move(outline.hull_px));
  outline.box.left_px = static_cast<float>(left), outline.box.top_px = static_cast<float>(top);
  outline.box.width_px = static_cast<float>(right - left);
  outline.box.height_px = static_cast<float>(bottom - top);
  return outline;
}

// What true cameras see; the solver is told that camera kMoved stands elsewhere.
inline PeopleSolveInput input_of(const Scene& scene, const CameraChange& wrong) {
  std::mt19937 random(scene.seed);
  PeopleSolveInput input;
  input.cameras = room(scene.roll_deg);
  for (int f = 0; f < kFrames; ++f) {
    PeopleFrame& frame = input.frames.emplace_back();
    frame.frame = f;
    frame.cameras.resize(kCameras);
    for (int p = 0; p < scene.people; ++p) {
      const double t = scene.walk ? 0.05 * f : 0;
      const double x = (p == 0 ? 1 : -1) * 1.3 * std::cos(t), y = (p == 0 ? 1 : -1) * 1.3 * std::sin(0.7 * t);
      const auto points = body(x, y, 1.6 + 0.15 * p, t);
      for (size_t c = 0; c < kCameras; ++c)
        frame.cameras[c].push_back(outline_in(input.cameras[c], points, scene, random));
    }
  }
  input.cameras[kMoved] = *changed_camera(input.cameras[kMoved], wrong);
  input.free.assign(kCameras, false);
  input.free[kMoved] = true;
  input.floor = {-2, -2, 2, 2};
  return input;
}

}  // namespace vantage::walked_room
