// Estimates each person's velocity in the world from all cameras' optical flows.
//
// A person is approximated by an upright disc through the body's axis that faces the camera. Where a point X
// of it projects to a foreground pixel that no nearer person covers, the flow there is the projection of the
// body's motion: with J(X) the derivative of the projection and t the time between the two pictures,
//
//   flow = J(X) v t
//
// Every camera sees two components of v. All points of all cameras give v by least squares, in metres on the
// body (a pixel's weight is its size there), with equal weight for each camera; points are weighted by their
// flow's confidence and by Cauchy's weight about the present solution, so that a swinging arm does not count
// as walking. The result is the mean motion of the visible body: its speed when it walks.
//
// Approximations: the body's depth (a disc), and no rotation within a frame.
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
  const CameraFlow* flow = nullptr;  // null or empty: contributes nothing
  ImageView<const uint8_t> mask =
      {};  // mask of the later picture: 0 is background; no data: all points count
};

// One per person; nothing where too little of a person is visible, or from one side only.
std::vector<std::optional<PersonMotion>> measure_motion(std::span<const MotionView> views,
                                                        std::span<const FoundPerson> people);

// Colours of people in each camera, which distinguish them where they cross: means of Y', Cb and Cr over the
// visible points of the body (person_skeletons.h), separately for trunk and legs. A camera that sees less
// than kMinSeen of a part gives no colour for it: the rest may be another person's arm.

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
// One list per person, by camera.
std::vector<std::vector<BodyColor>> measure_appearance(std::span<const AppearanceView> views,
                                                       std::span<const FoundPerson> people);

}  // namespace vantage
