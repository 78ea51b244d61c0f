// The colours that people show to each camera, to tell them apart where they cross: means of Y', Cb and Cr
// over the points of the body that the camera sees (body_points.h), of the trunk and of the legs each. A
// camera that sees less than kMinSeen of a part says nothing of it: what is left may be another person's
// arm.
#pragma once

#include <span>
#include <vector>

#include "core/base/parameters.h"
#include "core/geometry/camera.h"
#include "core/image/picture.h"
#include "core/people/floor_person.h"
#include "core/people/people.h"

namespace vantage {

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
