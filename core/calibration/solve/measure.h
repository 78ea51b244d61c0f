// Distances and angles on the floor and heights above it, by clicks in a camera's picture or on the floor
// itself, with their standard deviation where it is known how sure the cameras are.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/calibration/solve/camera_values.h"
#include "core/geometry/camera.h"
#include "core/geometry/measure_clicks.h"

namespace vantage {

struct Measured {
  std::vector<Eigen::Vector3d> points_m;
  std::optional<double> value;  // metres or degrees (0 to 180); nothing: points are missing, or two are one
  // Deviation of the value: from one pixel of each click, and from the cameras. Nothing where a click is in
  // no picture or its camera does not stand as it was solved.
  std::optional<double> std;
};

// The measure of the clicks so far. Nothing where one of them names no camera that there is, or shows no
// place: of the floor, or above the first point. Errors of cameras that were `solved` together go together,
// others do not.
std::optional<Measured> measured(MeasureKind kind, std::span<const MeasureClick> clicks,
                                 std::span<const Camera> cameras,
                                 std::span<const SolvedTogether> solved = {});

}  // namespace vantage
