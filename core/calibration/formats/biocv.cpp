// The bioCV data set's .calib files (M. Evans et al., "Synchronised video, motion capture and force plate
// dataset", 2024), one camera each, of numbers only: width, height, the camera matrix, the 4 x 4 matrix from
// the world to the camera in millimetres, and the lens, OpenCV's k1 k2 p1 p2 and k3.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/calibration/formats/detail/formats.h"
#include "core/calibration/formats/detail/xml_readers.h"

namespace vantage::calibration_detail {
namespace {

constexpr size_t kMatrixAt = 2, kPoseAt = kMatrixAt + 9, kLensAt = kPoseAt + 16, kLensNumbers = 5;

struct NumbersDocument : Document {
  std::vector<double> numbers;
};
const std::vector<double>& numbers_in(const Document& file) {
  return static_cast<const NumbersDocument&>(file).numbers;
}

constexpr const char* kBlanks = " \t\r\n,;";

// The word that begins at or behind `*at`, which is moved behind it; empty: there is none.
std::string_view next_word(const std::string& text, size_t* at) {
  const size_t begin = text.find_first_not_of(kBlanks, *at);
  if (begin == std::string::npos) return {};
  *at = std::min(text.find_first_of(kBlanks, begin), text.size());
  return std::string_view(text).substr(begin, *at - begin);
}

// "00.mp4.calib" belongs to 00.mp4.
std::string biocv_name(const std::filesystem::path& path) {
  std::filesystem::path name = path.filename();
  if (name.extension() == ".calib") name = name.stem();
  if (name.extension() == ".mp4") name = name.stem();
  return name.string();
}

}  // namespace

bool looks_like_numbers(const std::string& text) {
  size_t at = 0;
  double value = 0;
  for (int i = 0; i < 2; ++i)
    if (const std::string_view word = next_word(text, &at);
        word.empty() || !parse_number(std::string(word), &value))
      return false;
  return true;
}

ParsedDocument parse_number_list(const std::string& text, const std::string& where) {
  auto document = std::make_unique<NumbersDocument>();
  size_t at = 0;
  for (std::string_view word = next_word(text, &at); !word.empty(); word = next_word(text, &at)) {
    double value = 0;
    if (!parse_number(std::string(word), &value))
      return fail(ErrorKind::bad_data, "\"" + std::string(word.substr(0, 40)) + "\" is not a number", where,
                  "The file may be damaged or of another kind. " + expected_in(Syntax::numbers));
    document->numbers.push_back(value);
  }
  return document;
}

bool is_biocv(const Document& file) {
  return numbers_in(file).size() > kPoseAt;
}

Result<RawCalibration> read_biocv(const Document& file, const CalibrationOptions&) {
  const std::span<const double> numbers = numbers_in(file);
  const std::string where = file.where();
  if (numbers.size() != kLensAt + kLensNumbers)
    return fail(ErrorKind::bad_data,
                "has " + std::to_string(numbers.size()) +
                    " numbers instead of 32 (width, height, 9 of the camera matrix, 16 of the pose, 5 of the "
                    "lens)",
                where, "The file may be cut off: copy it again.");
  const auto whole = [](double v) { return v >= 1 && v <= 65536 && v == std::floor(v); };
  if (!whole(numbers[0]) || !whole(numbers[1]))
    return fail(ErrorKind::bad_data, "does not begin with a width and a height in whole pixels", where,
                expected_in(Syntax::numbers));
  PinholeCamera<double> camera;
  camera.width_px = static_cast<int>(numbers[0]), camera.height_px = static_cast<int>(numbers[1]);
  VANTAGE_TRY(set_intrinsics(numbers.subspan(kMatrixAt, 9), where, &camera));
  VANTAGE_TRY(set_distortion(numbers.subspan(kLensAt), where, &camera));
  const std::span<const double> pose = numbers.subspan(kPoseAt, 16);
  if (pose[12] != 0 || pose[13] != 0 || pose[14] != 0 || pose[15] != 1)
    return fail(ErrorKind::bad_data, "the pose does not end with the row 0 0 0 1", where,
                "The file may be damaged or of another kind. " + expected_in(Syntax::numbers));
  const std::array<double, 9> rotation = {pose[0], pose[1], pose[2], pose[4], pose[5],
                                          pose[6], pose[8], pose[9], pose[10]};
  VANTAGE_TRY(set_rotation(rotation, where, &camera));
  VANTAGE_TRY(set_translation(std::array<double, 3>{pose[3], pose[7], pose[11]}, where, &camera));
  return RawCalibration{.unit_m = 0.001, .names = {biocv_name(file.path)}, .cameras = {camera}};
}

}  // namespace vantage::calibration_detail
