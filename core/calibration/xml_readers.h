// What the two XML formats share; private to core/calibration.
#pragma once

#include <filesystem>
#include <pugixml.hpp>
#include <string>

#include "core/calibration/readers.h"

namespace vantage::calibration_detail {

Result<RawCalibration> read_opencv_xml(const pugi::xml_node& root, const std::filesystem::path& path,
                                       const CalibrationOptions& options);
Result<RawCalibration> read_qualisys_xml(const pugi::xml_node& root, const std::string& where);

// The whole text as one number, as OpenCV writes it: "1.", "-3.6e-01"; ".Nan" and ".Inf" become NaN.
bool parse_number(const std::string& text, double* value);

}  // namespace vantage::calibration_detail
