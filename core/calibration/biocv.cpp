// bioCV's calibration, a text for each camera: width and height on a line each, the camera matrix in three
// lines, world to camera in three lines of four numbers, millimetres, as a rule with 0 0 0 1 below, and
// OpenCV's lens coefficients in the last line. Empty lines between them say nothing.
#include <sstream>

#include "core/calibration/detail/formats.h"
#include "core/calibration/detail/xml_readers.h"

namespace vantage::calibration_detail {
namespace {

struct NumberLines : Document {
  std::vector<std::vector<double>> lines;
};

// Nothing where a line holds anything but numbers.
std::optional<std::vector<std::vector<double>>> lines_of_numbers(const std::string& text) {
  std::vector<std::vector<double>> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::vector<double> numbers;
    std::istringstream words(line);
    for (std::string word; words >> word;)
      if (!parse_number(word, &numbers.emplace_back())) return std::nullopt;
    if (!numbers.empty()) lines.push_back(std::move(numbers));
  }
  return lines;
}

std::vector<double> together(const std::vector<std::vector<double>>& lines, size_t first, size_t count,
                             size_t columns) {
  std::vector<double> values;
  for (size_t i = first; i < first + count; ++i)
    values.insert(values.end(), lines[i].begin(), lines[i].begin() + static_cast<ptrdiff_t>(columns));
  return values;
}

}  // namespace

bool looks_like_numbers(const std::string& text) {
  const auto lines = lines_of_numbers(text);
  return lines && !lines->empty();
}

ParsedDocument parse_numbers(const std::string& text, const std::string&) {
  auto document = std::make_unique<NumberLines>();
  if (auto lines = lines_of_numbers(text)) document->lines = std::move(*lines);
  return document;
}

bool is_biocv(const Document&) {
  return true;
}

Result<RawCalibration> read_biocv(const Document& file, const CalibrationOptions&) {
  const std::vector<std::vector<double>>& lines = static_cast<const NumberLines&>(file).lines;
  const std::string where = file.where();
  std::vector<size_t> wanted = {1, 1, 3, 3, 3, 4, 4, 4};
  if (lines.size() > wanted.size() + 1) wanted.push_back(4);
  bool complete = lines.size() == wanted.size() + 1;
  for (size_t i = 0; complete && i < wanted.size(); ++i) complete = lines[i].size() == wanted[i];
  const std::vector<double> last = {0, 0, 0, 1};
  if (!complete || (wanted.size() > 8 && lines[8] != last))
    return fail(
        ErrorKind::bad_data,
        "is lines of numbers, but not bioCV's: width, height, three lines of three, three of four and "
        "the lens coefficients",
        where, "The file may be cut off: copy it again. " + formats_understood());
  PinholeCamera<double> camera;
  for (const double size : {lines[0][0], lines[1][0]})
    if (!(size >= 1 && size <= 65535 && size == static_cast<int>(size)))
      return fail(ErrorKind::bad_data, "the picture size is not in whole pixels", where);
  camera.width_px = static_cast<int>(lines[0][0]), camera.height_px = static_cast<int>(lines[1][0]);
  std::vector<double> translation;
  for (size_t i = 5; i < 8; ++i) translation.push_back(lines[i][3]);
  VANTAGE_TRY(set_intrinsics(together(lines, 2, 3, 3), where + ", camera matrix", &camera));
  VANTAGE_TRY(set_distortion(lines.back(), where + ", lens", &camera));
  VANTAGE_TRY(set_rotation(together(lines, 5, 3, 3), where + ", rotation", &camera));
  VANTAGE_TRY(set_translation(translation, where + ", translation", &camera));
  return RawCalibration{.unit_m = 0.001, .names = {opencv_camera_name(file.path)}, .cameras = {camera}};
}

}  // namespace vantage::calibration_detail
