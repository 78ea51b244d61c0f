// The part of a calibration's report that shows what calibrate boards left over: each camera's picture with
// its residuals as arrows and how many corners were seen where, pictures by their residuals, halves.
#pragma once

#include <string>

#include "core/base/json.h"

namespace vantage::cli {

// `report`: what calibrate boards printed with --json. HTML; empty where it is no such report.
std::string board_report_html(const nlohmann::ordered_json& report);

}  // namespace vantage::cli
