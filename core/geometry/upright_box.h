// A box that stands upright in the world and may be turned about the vertical: what a calibrator lays over a
// thing of known size to see whether every camera agrees on it. A project has several, by name.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vantage {

struct UprightBox {
  Eigen::Vector3d base_in_world_m = {0, 0, 0};  // middle of the lower face
  Eigen::Vector3d size_m = {0.5, 0.5, 1.8};     // along its own x and y and up
  double turn_degrees = 0;                      // counter-clockwise as seen from above

  // The box's own axes have their origin at the middle of its lower face.
  Eigen::Vector3d to_world_m(const Eigen::Vector3d& own_m) const;
  Eigen::Vector3d to_own_m(const Eigen::Vector3d& world_m) const;
  // 0 to 3 around the lower face, 4 to 7 above them.
  std::array<Eigen::Vector3d, 8> corners_in_world_m() const;

  bool operator==(const UprightBox& other) const {
    return base_in_world_m == other.base_in_world_m && size_m == other.size_m &&
           turn_degrees == other.turn_degrees;
  }
};

struct NamedBox {
  std::string name;  // differs from all others
  UprightBox box;
  bool operator==(const NamedBox&) const = default;
};

// Null: there is none of that name.
NamedBox* box_named(std::vector<NamedBox>& boxes, std::string_view name);
const NamedBox* box_named(const std::vector<NamedBox>& boxes, std::string_view name);
// "box 1", or the first number that no other has.
std::string free_box_name(const std::vector<NamedBox>& boxes);

// The corners that an edge joins.
inline constexpr std::array<std::pair<int, int>, 12> kBoxEdges = {
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

// Shorter edges cannot be grasped any more.
inline constexpr double kSmallestBox_m = 0.02;

// The corner nearest to each point.
std::vector<size_t> nearest_corners(const UprightBox& box,
                                    std::span<const Eigen::Vector3d> points_in_world_m);

// The box moved and turned about the vertical so that each point lies at the corner that is nearest to it, by
// least squares; its size stays. One point alone does not turn it.
UprightBox snapped(const UprightBox& box, std::span<const Eigen::Vector3d> points_in_world_m);

}  // namespace vantage
