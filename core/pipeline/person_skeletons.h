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

#include <span>
#include <vector>

#include "core/detections/detections.h"
#include "core/fusion/fusion.h"
#include "core/geometry/camera.h"
#include "core/people/skeletons/skeletons.h"

namespace vantage {

// One for each person. Cameras and detections as the people were fused from.
std::vector<PersonSkeleton> find_skeletons(std::span<const Camera> cameras,
                                           std::span<const CameraDetections> detections,
                                           std::span<const FusedPerson> people,
                                           const SkeletonParameters& parameters);

}  // namespace vantage
