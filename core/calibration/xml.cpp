// Which of the XML formats a file is: by its root.
#include "core/calibration/xml_readers.h"

namespace vantage::calibration_detail {

Result<RawCalibration> read_xml(const std::string& text, const std::filesystem::path& path,
                                const CalibrationOptions& options) {
  const std::string where = path.string();
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed)
    return fail(ErrorKind::bad_data,
                std::string("is not whole XML: ") + parsed.description() + " at byte " +
                    std::to_string(parsed.offset),
                where, "The file may be cut off: copy it again. " + formats_understood());
  if (const pugi::xml_node root = document.child("opencv_storage"))
    return read_opencv_xml(root, path, options);
  if (const pugi::xml_node root = document.child("calibration")) return read_qualisys_xml(root, where);
  return fail(ErrorKind::bad_data,
              std::string("is XML, but neither OpenCV's nor Qualisys' (its root is <") +
                  document.document_element().name() + ">)",
              where, formats_understood());
}

}  // namespace vantage::calibration_detail
