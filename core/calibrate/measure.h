// Distances and angles on the floor and heights above it, by clicks in a camera's picture or on the floor
// itself, with their standard deviation where it is known how sure the cameras are.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/geometry/camera.h"
#include "core/geometry/camera_change.h"

namespace vantage {

// distance: between two points of the floor; height: of a point straight above one of the floor; angle: at
// the second of three points of the floor.
enum class MeasureKind : uint8_t { distance, height, angle };

struct MeasureClick {
  std::string camera;  // empty: not in a picture
  Eigen::Vector2d at;  // the camera's pixel; without one the position on the floor, metres
};

using ChangeCovariance = Eigen::Matrix<double, kChanges, kChanges>;

struct RulerCamera {
  Camera camera;
  std::optional<ChangeCovariance> covariance;  // of its small changes; nothing: not known
};

struct Measured {
  std::vector<Eigen::Vector3d> points_m;
  std::optional<double> value;  // metres or degrees (0 to 180); nothing: points are missing, or two are one
  // Of the value: from one pixel of each click, and from the cameras. Nothing where a click is in no picture
  // or its camera's covariance is not known.
  std::optional<double> std;
};

constexpr size_t clicks_of(MeasureKind kind) {
  return kind == MeasureKind::angle ? 3 : 2;
}

// Of the clicks so far. Nothing where one of them names no camera that there is, or shows no place: of the
// floor, or above the first point.
std::optional<Measured> measured(MeasureKind kind, std::span<const MeasureClick> clicks,
                                 std::span<const RulerCamera> cameras);

}  // namespace vantage
