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

#include "core/base/parameters.h"
#include "core/geometry/camera.h"
#include "core/image/picture.h"
#include "core/people/floor_person.h"
#include "core/people/people.h"
#include "core/pipeline/artifacts.h"

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

// The colours that people show to each camera, to tell them apart where they cross: means of Y', Cb and Cr
// over the points of the body that the camera sees (person_skeletons.h), of the trunk and of the legs each. A
// camera that sees less than kMinSeen of a part says nothing of it: what is left may be another person's
// arm.

struct AppearanceParameters {
  bool enabled = false;
};
template <>
const ParameterTable& parameter_table<AppearanceParameters>();

struct AppearanceView {
  const Camera* camera = nullptr;
  const Picture* picture = nullptr;  // in host memory; null: no picture of this frame
  ImageView<const uint8_t> mask = {};
};

inline constexpr double kMinSeen = 0.4;
// One list for each person, by camera.
std::vector<std::vector<BodyColor>> measure_appearance(std::span<const AppearanceView> views,
                                                       std::span<const FoundPerson> people);

}  // namespace vantage
