// Pictures of a calibration's report: the floor with its expected error, and the residuals of boards.
#pragma once

#include <vector>

#include "core/base/json.h"
#include "core/calibration/solve/measure.h"
#include "core/display/document.h"
#include "core/project/project.h"

namespace vantage::cli {

DocumentMap floor_plan(const FloorErrorMap& map, const std::vector<Camera>& cameras,
                       const std::vector<FloorZone>& zones);
// `report`: the output of calibrate boards --json; adds nothing for other values.
void add_board(const nlohmann::ordered_json& report, Document* to);

}  // namespace vantage::cli
