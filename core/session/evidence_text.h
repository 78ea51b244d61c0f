// The evidence of a frame's detections about its people and about a position on the floor, as text: for
// people who point at them in the window, and for `vantage-cli evidence`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/fusion/place_evidence.h"
#include "core/project/project.h"
#include "core/session/shown_frame.h"

namespace vantage {

// Which evidence carries the frame's person of this index, a line for each camera after one of the whole.
// Empty where the frame's people do not come from its detections.
std::vector<std::string> person_evidence_text(const Project& project, const ShownFrame& shown, size_t person);

struct ExplainedPlace {
  PlaceEvidence evidence;          // without cameras where people are not searched for
  std::vector<std::string> lines;  // the first says what comes of it
};
// Why nobody is there, or who is. `people`: what the frame's people are called; who has no name is called by
// the position. invalid_argument where the frame tells nothing: without a calibration, without detections, or
// not analysed.
Result<ExplainedPlace> explain_place(const Project& project, const ShownFrame& shown, double x_m, double y_m,
                                     std::span<const std::string> people);

}  // namespace vantage
