// The skeletons of fused people: each joint by the views whose rays agree.
//
// A person's joints are those of the detections that carry it (CameraEvidence), of the layout with the most
// joints among them; other layouts add the joints that they have, too, by name. Joints of detections that
// carry no one, such as half of a person who was cut in two, count half. Of every joint the rays that meet
// best are taken (core/people/triangulation, no ray farther than the gate), two at least, one of a detection
// of the person, and only within reach of the person's axis. They meet by least squares with Cauchy's
// weights, and those that are far off then are dropped: a view in which the detection is another person's
// does not pull. Those that are left have to weigh more than those of the person's views that see the joint
// elsewhere. Joints are weighted by their scores.
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

// One for each person. Cameras and detections as the people were fused from.
std::vector<PersonSkeleton> find_skeletons(std::span<const Camera> cameras,
                                           std::span<const CameraDetections> detections,
                                           std::span<const FusedPerson> people,
                                           const SkeletonParameters& parameters);

// The part of a body that a camera sees: points of an upright disc through the body's axis that faces the
// camera, where the mask is foreground and no one nearer stands before them.

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
