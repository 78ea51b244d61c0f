// Uncertainty of solved cameras in the reports of calibrate boards and points.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/calibration/solve/camera_values.h"

namespace vantage::cli {

// Fixed values are left out.
nlohmann::ordered_json uncertainty_json(const SolvedTogether& solved);

struct ReadUncertainty {
  SolvedTogether solved;  // the ones of `cameras` in the report, with the poses of `cameras`
  // Names of cameras more than a millimetre from their pose in the report, or projecting more than a tenth of
  // a pixel differently.
  std::vector<std::string> stand_apart;
};
// Ends the command if the file is not such a report.
ReadUncertainty uncertainty_or_fail(const std::string& file, const std::vector<Camera>& cameras);

}  // namespace vantage::cli
