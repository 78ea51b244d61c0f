// A point that a person clicked in the cameras' pictures: a mark, a corner, anything at rest that several
// cameras show.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
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
  std::optional<Eigen::Vector3d> known_m;  // its coordinates in the world, if they were measured
  bool operator==(const ClickedPoint&) const = default;
};

// A measurement by clicks in the cameras' pictures or on the floor; core/calibration/solve/measure.h has the
// value.

// distance: between two points of the floor; height: of a point straight above one of the floor; angle: at
// the second of three points of the floor.
enum class MeasureKind : uint8_t { distance, height, angle };

struct MeasureClick {
  std::string camera = {};      // empty: not in a picture
  Eigen::Vector2d at = {0, 0};  // the camera's pixel; without a camera the position on the floor, metres
  bool operator==(const MeasureClick&) const = default;
};

constexpr size_t clicks_of(MeasureKind kind) {
  return kind == MeasureKind::angle ? 3 : 2;
}

struct ClickedMeasure {
  MeasureKind kind = MeasureKind::distance;
  std::vector<MeasureClick> clicks = {};  // as many as clicks_of()
  bool operator==(const ClickedMeasure&) const = default;
};

}  // namespace vantage
