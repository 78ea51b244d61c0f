// The evidence of a frame's detections about its people as text, for the window and `vantage-cli evidence`.
// core/why explains why a person is at a position or not.
#pragma once

#include <string>
#include <vector>

#include "core/project/project.h"
#include "core/session/shown_frame.h"

namespace vantage {

// Evidence for the frame's person of this index, one line of summary and one for each camera. Empty where the
// frame's people do not come from its detections.
std::vector<std::string> person_evidence_text(const Project& project, const ShownFrame& shown, size_t person);

}  // namespace vantage
