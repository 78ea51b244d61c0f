// How fast each person moves in the world, from the cameras' optical flows together.
//
// A person is taken as an upright disc through the body's axis that faces the camera. Where a point X of it
// is seen at a pixel that is foreground and that no nearer person covers, the flow there is the picture of
// the body's motion: with J(X) the derivative of the projection and t the time between the two pictures,
//
//   flow = J(X) v t
//
// Every camera sees two components of v. All points of all cameras together give v by least squares, in
// metres on the body (a pixel's weight is its size there), each camera with the same weight, points by their
// flow's confidence and, so that a swinging arm does not count as walking, by Cauchy's weight about the
// present solution. The result is the mean motion of what is seen of the body: its speed when it walks.
//
// Approximated: the body's depth (a disc), and that the motion turns nothing within a frame.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/geometry/camera.h"
#include "core/people/people.h"
#include "core/pipeline/flow_data.h"

namespace vantage {

struct MotionView {
  Camera camera;
  double frame_rate = 25;
  const CameraFlow* flow = nullptr;    // null or empty: contributes nothing
  ImageView<const uint8_t> mask = {};  // of the later picture: 0 is background; no data: everything counts
};

// One for each person; nothing where too little of a person is seen, or from one side only.
std::vector<std::optional<PersonMotion>> measure_motion(std::span<const MotionView> views,
                                                        std::span<const FoundPerson> people);

}  // namespace vantage
