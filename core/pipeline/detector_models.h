// The files of a project's detector, read for PersonDetector::open().
#pragma once

#include <string>

#include "core/detections/person_detector.h"

namespace vantage {

// A path may be empty. Errors: not_found, io.
Result<DetectorModels> read_models(const std::string& people, const std::string& joints);

}  // namespace vantage
