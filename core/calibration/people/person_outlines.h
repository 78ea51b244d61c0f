// The outlines of people in a foreground mask: its connected parts, each with its box and its convex outline.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "core/detections/detections.h"
#include "core/image/image_view.h"
#include "core/image/picture.h"

namespace vantage {

struct PersonOutline {
  PersonDetection box;                   // as a detector would say it
  std::vector<Eigen::Vector2d> hull_px;  // corners of the convex hull; (0, 0) is the centre of the first
                                         // pixel; none where a detector found the person
};

// Parts as tall and as narrow as an upright person may be; two who touch are one part, whose box then fits
// no one. `mask`: 0 or 255.
std::vector<PersonOutline> person_outlines(ImageView<const uint8_t> mask);

// A detector's boxes as they are, without outlines.
std::vector<PersonOutline> person_boxes(const CameraDetections& detections);

// What all cameras show of one frame.
struct PeopleFrame {
  int64_t frame = 0;
  std::vector<std::vector<PersonOutline>> cameras;
};

// `masks`: by camera; an empty one shows no one.
PeopleFrame people_frame(int64_t frame, std::span<const Image> masks);

}  // namespace vantage
