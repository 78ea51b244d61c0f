// The evidence of the cameras' detections about one position on the floor: which of them support the person
// found there, or why no one was. By the model of fusion.h, for a person who would stand at this very place.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/fusion/fusion.h"

namespace vantage {

enum class CameraAnswer {
  not_looked,    // it has no detections of this frame
  ignored,       // a person there would be in an ignored region of its picture
  outside,       // a person there would be outside its picture, or hardly in it
  hidden,        // behind a nearer person
  sees,          // a box fits
  sees_head,     // no box, but a head fits
  other_person,  // the box that fits best is another person's
  weak,          // the box that fits scores less than fusion.min_score
  nothing        // it should see a person there, and does not
};

struct CameraAtPlace {
  CameraAnswer answer = CameraAnswer::not_looked;
  double visible = 0;      // as in CameraEvidence
  double in_mask = 0;      // share of that which is in the camera's mask, 0 to 1; 0 without a mask
  int32_t head = -1;       // the head meant, among the camera's; -1: none
  int32_t detection = -1;  // the box meant, else the one that overlaps most; -1: none does
  double score = 0;        // its score, 0 to 1
  double overlap = 0;      // with the person's box: intersection over union, 0 to 1
  double nats = 0;         // for a person there, negative: against
  int32_t person = -1;     // whose the box is, or who is in front, among the frame's people; -1: no one
};

struct PlaceEvidence {
  double x_m = 0, y_m = 0;
  double height_m = 0;     // of those tried, the one that the cameras' boxes fit best
  double gain_nats = 0;    // all cameras together, less what a person and close neighbours cost
  int32_t person = -1;     // who was found here, within 0.3 m, among the frame's people; -1: no one
  int32_t neighbour = -1;  // the nearest other one within 0.6 m, where two repel; -1: no one
  double neighbour_m = 0;  // how far away
  std::vector<CameraAtPlace> cameras;  // one per camera
};

// `people` are those that fusion found in these detections (PeopleFusion::find), for what is hidden and whose
// box is whose. As many detections as cameras; `ignored`: as for PeopleFusion.
PlaceEvidence evidence_at(double x_m, double y_m, const FusionInput& input,
                          std::span<const FusedPerson> people, std::span<const PinholeCamera<double>> cameras,
                          const FusionParameters& parameters, std::span<const IgnoredPixels> ignored = {});

// A line for each camera, "cam2: sees no one, though 85 % of a person here would be visible", after one
// that says what comes of it. `names`: of the cameras; `people`: what the frame's people are called.
std::vector<std::string> describe(const PlaceEvidence& evidence, std::span<const std::string> names,
                                  std::span<const std::string> people);

// Which evidence carries a person: a first line with place, height and confidence, then one for each camera.
// `detections` are those that the person was found in.
std::vector<std::string> describe(const FusedPerson& person, std::span<const CameraDetections> detections,
                                  std::span<const std::string> names);

}  // namespace vantage
