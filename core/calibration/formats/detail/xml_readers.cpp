#include "core/calibration/formats/detail/xml_readers.h"

namespace vantage::calibration_detail {

// pugixml reads it, too.
bool looks_like_utf16_xml(const std::string& text) {
  for (const std::string_view begin : {std::string_view("\xFF\xFE<\0", 4), std::string_view("<\0?\0", 4),
                                       std::string_view("\xFE\xFF\0<", 4)})
    if (text.starts_with(begin)) return true;
  return false;
}

ParsedDocument parse_xml(const std::string& text, const std::string& where) {
  auto document = std::make_unique<XmlDocument>();
  const pugi::xml_parse_result parsed = document->xml.load_buffer(text.data(), text.size());
  if (!parsed)
    return fail(ErrorKind::bad_data,
                std::string("is not complete XML: ") + parsed.description() + " at byte " +
                    std::to_string(parsed.offset),
                where, "The file may be cut off: copy it again. " + expected_in(Syntax::xml));
  return document;
}

const pugi::xml_document& xml_of(const Document& file) {
  return static_cast<const XmlDocument&>(file).xml;
}

}  // namespace vantage::calibration_detail
