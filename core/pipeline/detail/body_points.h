// The part of a body that a camera sees: points of an upright disc through the body's axis that faces the
// camera, where the mask is foreground and no one nearer stands before them.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "core/geometry/camera.h"
#include "core/image/image_view.h"
#include "core/people/people.h"

namespace vantage {

// Columns across half a body's width each way, rows from the ankles to the head.
inline constexpr int kBodyColumns = 9, kBodyRows = 25;

struct BodyPoint {
  Eigen::Vector3d in_world_m;
  Eigen::Vector2d pixel;
  double height_share = 0;  // 0 at the floor, 1 at the top of the head
};

// `mask` without data: everything is foreground.
std::vector<BodyPoint> visible_points(const Camera& camera, const ImageView<const uint8_t>& mask,
                                      std::span<const FoundPerson> people, size_t person);

}  // namespace vantage
