// How sure solved cameras are, as the reports of calibrate boards and points hold it.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/calibration/solve/camera_values.h"

namespace vantage::cli {

// Values that were held are left out.
nlohmann::ordered_json uncertainty_json(const SolvedTogether& solved);

struct ReadUncertainty {
  SolvedTogether solved;  // those of `cameras` that the report has, as they stand in `cameras`
  // Names of those more than a millimetre from where the report has them, or showing something else than
  // there at a pixel, by more than a tenth of one.
  std::vector<std::string> stand_apart;
};
// Ends the command where the file is no such report.
ReadUncertainty uncertainty_or_fail(const std::string& file, const std::vector<Camera>& cameras);

}  // namespace vantage::cli
