// Skeletons of fused people: each joint from the views whose rays agree.
//
// A person's joints come from their detections (CameraEvidence), in the layout with most joints among them;
// other layouts add joints by name. Joints of detections without a person, such as half of a person who was
// split, have half the weight. For every joint the rays that meet best are used (core/people/triangulation,
// no ray farther than the gate), at least two, one of them from the person's own detections, and only within
// reach of the person's axis. They meet by least squares with Cauchy's weights, and outliers are then
// dropped: a view in which the detection is another person's does not count. The remaining rays must outweigh
// those of the person's views with the joint elsewhere. Weights are the joints' scores.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "core/detections/detections.h"
#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/image/image_view.h"
#include "core/people/people.h"
#include "core/people/skeletons/skeletons.h"

namespace vantage {

// One per person. Cameras and detections: those of the fusion.
std::vector<PersonSkeleton> find_skeletons(std::span<const Camera> cameras,
                                           std::span<const CameraDetections> detections,
                                           std::span<const FusedPerson> people,
                                           const SkeletonParameters& parameters);

// Visible part of a body in a camera: points of an upright disc through the body's axis that faces the
// camera, where the mask is foreground and no nearer person covers them.

// Columns over half a body's width on either side, rows from the ankles to the head.
inline constexpr int kBodyColumns = 9, kBodyRows = 25;

struct BodyPoint {
  Eigen::Vector3d in_world_m;
  Eigen::Vector2d pixel;
  double height_share = 0;  // 0 at the floor, 1 at the top of the head
};

// `mask` without data: all is foreground.
std::vector<BodyPoint> visible_points(const Camera& camera, const ImageView<const uint8_t>& mask,
                                      std::span<const FoundPerson> people, size_t person);

}  // namespace vantage
