// What a person measured in the cameras' pictures or on the floor, as clicks;
// core/calibration/solve/measure.h has the value.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vantage {

// distance: between two points of the floor; height: of a point straight above one of the floor; angle: at
// the second of three points of the floor.
enum class MeasureKind : uint8_t { distance, height, angle };

struct MeasureClick {
  std::string camera = {};      // empty: not in a picture
  Eigen::Vector2d at = {0, 0};  // the camera's pixel; without one the position on the floor, metres
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
