// Parts that the two XML formats share.
#pragma once

#include <pugixml.hpp>
#include <string>

#include "core/calibration/formats/detail/formats.h"

namespace vantage::calibration_detail {

struct XmlDocument : Document {
  pugi::xml_document xml;
};
// The file is XML.
const pugi::xml_document& xml_of(const Document& file);

// The whole text as one number, as OpenCV writes it: "1.", "-3.6e-01"; ".Nan" and ".Inf" become NaN.
bool parse_number(const std::string& text, double* value);

}  // namespace vantage::calibration_detail
