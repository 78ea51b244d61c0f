// What the scenes of all formats hold: floor, cameras, people. Private to core/export/people.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/geometry/camera.h"
#include "core/project/project.h"
#include "core/results/floor_counts.h"

namespace vantage::people_export_detail {

inline constexpr double kPersonRadius_m = 0.22, kAboveFloor_m = 0.01;  // of zones and lines
inline constexpr double kNear_m = 0.05, kFar_m = 200;                  // of what a camera shows

// A person's path in runs of points between which no gap is longer than kLongestGap_s.
std::vector<std::pair<size_t, size_t>> runs_of(const PersonPath& path, double frame_rate);  // end excluded

// Median of the frames in which it is known; otherwise kStandingFigure_m.
double median_height_m(const PersonPath& path);

// The region's footprint, counter-clockwise; empty: the project has none.
std::vector<Eigen::Vector2d> floor_corners_m(const Project& project);

// The world's rotation of a camera whose axes are x right, y up, z backwards.
Eigen::Quaterniond rotation_of(const Camera& camera);

}  // namespace vantage::people_export_detail
