// Pictures of a calibration's report: the floor with its expected error, and what boards left over.
#pragma once

#include <vector>

#include "core/base/json.h"
#include "core/calibration/solve/measure.h"
#include "core/display/document.h"
#include "core/project/project.h"

namespace vantage::cli {

DocumentMap floor_plan(const FloorErrorMap& map, const std::vector<Camera>& cameras,
                       const std::vector<FloorZone>& zones);
// `report`: what calibrate boards printed with --json; nothing where it is no such report.
void add_board(const nlohmann::ordered_json& report, Document* to);

}  // namespace vantage::cli
