// Four cameras round a room and points in it, whose pixels come from OpenCV's projectPoints: the formulas
// under test are not their own truth.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/clicked_point.h"

namespace vantage::clicked_room {

inline Camera camera_at(const std::string& name, double angle, double height_m) {
  const Eigen::Vector3d center(5 * std::cos(angle), 5 * std::sin(angle), height_m);
  const Eigen::Vector3d ahead = (Eigen::Vector3d(0, 0, 0.7) - center).normalized();
  const Eigen::Vector3d right = ahead.cross(Eigen::Vector3d::UnitZ()).normalized();
  Eigen::Matrix3d rotation;
  rotation.row(0) = right, rotation.row(1) = ahead.cross(right), rotation.row(2) = ahead;
  PinholeCamera<double> model;
  model.width_px = 1280, model.height_px = 960;
  model.fx_px = 900, model.fy_px = 905, model.cx_px = 635, model.cy_px = 470;
  model.k1 = -0.12, model.k2 = 0.03, model.p1 = 0.0008, model.p2 = -0.0006, model.k3 = 0.002;
  const Eigen::Vector3d translation = -rotation * center;
  for (int i = 0; i < 9; ++i) model.rotation_cam_from_world[i] = rotation(i / 3, i % 3);
  for (int i = 0; i < 3; ++i) model.translation_cam_from_world_m[i] = translation[i];
  return Camera::make(name, model).value();
}

inline std::vector<Camera> cameras() {
  return {camera_at("cam1", 0.2, 2.6), camera_at("cam2", 1.8, 2.9), camera_at("cam3", 3.3, 2.4),
          camera_at("cam4", 4.9, 2.7)};
}

inline Eigen::Vector2d pixel_of(const Camera& camera, const Eigen::Vector3d& point) {
  const PinholeCamera<double>& m = camera.model();
  const Eigen::AngleAxisd turn(camera.rotation_cam_from_world());
  const Eigen::Vector3d axis = turn.angle() * turn.axis(), shift = camera.translation_cam_from_world_m();
  std::vector<cv::Point2d> pixels;
  cv::projectPoints(std::vector<cv::Point3d>{{point.x(), point.y(), point.z()}},
                    cv::Vec3d(axis.x(), axis.y(), axis.z()), cv::Vec3d(shift.x(), shift.y(), shift.z()),
                    cv::Matx33d(m.fx_px, 0, m.cx_px, 0, m.fy_px, m.cy_px, 0, 0, 1),
                    cv::Vec<double, 5>(m.k1, m.k2, m.p1, m.p2, m.k3), pixels);
  return {pixels[0].x, pixels[0].y};
}

// On the floor, on tables and walls.
inline std::vector<Eigen::Vector3d> places(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Eigen::Vector3d> all;
  for (int i = 0; i < count; ++i)
    all.emplace_back(1.6 * unit(random), 1.6 * unit(random), i % 3 == 0 ? 0.0 : 0.9 + 0.8 * unit(random));
  return all;
}

// Every camera clicks every place, with noise of that standard deviation.
inline std::vector<ClickedPoint> click_all(const std::vector<Camera>& cameras,
                                           const std::vector<Eigen::Vector3d>& places, double noise_px,
                                           unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 1);
  std::vector<ClickedPoint> points;
  for (size_t i = 0; i < places.size(); ++i) {
    ClickedPoint& point = points.emplace_back(ClickedPoint{"P" + std::to_string(i + 1), {}, {}});
    for (const Camera& camera : cameras) {
      const Eigen::Vector2d off(noise_px * noise(random), noise_px * noise(random));
      point.clicks.push_back({camera.name(), pixel_of(camera, places[i]) + off});
    }
  }
  return points;
}

}  // namespace vantage::clicked_room
