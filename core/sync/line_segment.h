// A line of a frame signature. Plain data: .cu files include this header.
#pragma once

namespace vantage {

// Ends of a line in the world; point i of n is l a + (1 - l) b with l = i / (n - 1).
struct LineSegment {
  double a_in_world_m[3] = {0, 0, 0}, b_in_world_m[3] = {0, 0, 0};
  bool operator==(const LineSegment&) const = default;
};

}  // namespace vantage
