// The evidence of a frame's detections about its people as text: for people who point at them in the window,
// and for `vantage-cli evidence`. Why a person is at a place, or no one: core/why.
#pragma once

#include <string>
#include <vector>

#include "core/project/project.h"
#include "core/session/shown_frame.h"

namespace vantage {

// Which evidence carries the frame's person of this index, a line for each camera after one of the whole.
// Empty where the frame's people do not come from its detections.
std::vector<std::string> person_evidence_text(const Project& project, const ShownFrame& shown, size_t person);

}  // namespace vantage
