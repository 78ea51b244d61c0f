// Text for XML and HTML: between tags, and in attributes in double quotes.
#pragma once

#include <string>
#include <string_view>

namespace vantage {

std::string xml_escaped(std::string_view text);

}  // namespace vantage
