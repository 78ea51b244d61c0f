#include "core/calibration/formats/board_files.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <system_error>

#include "core/base/file.h"
#include "core/calibration/formats/detail/json_readers.h"
#include "core/calibration/formats/detail/toml_document.h"

namespace vantage::calibration_detail {

Result<std::string> read_board_text(const std::filesystem::path& path, const char* advice) {
  constexpr size_t kMaxBytes = 1 << 20;
  const auto other = [&] {
    return fail(ErrorKind::bad_data, "is not a board's file", path.string(), advice);
  };
  std::error_code code;
  if (const auto bytes = std::filesystem::file_size(path, code); !code && bytes > kMaxBytes) return other();
  VANTAGE_ASSIGN(std::string text, read_file(path));
  if (text.empty() || text.size() > kMaxBytes || text.find('\0') != std::string::npos) return other();
  return text;
}

}  // namespace vantage::calibration_detail

namespace vantage {
namespace {

constexpr const char* kAdvice = "Give caliscope's charuco.toml.";

// Absent, as 0, which caliscope reads as not measured.
double length_of(const toml::table& board, const char* key) {
  return board[key].value_or(0.0);
}

// Squares that fill the paper, where they were not measured.
Result<double> square_m(const toml::table& board, const CaliscopeBoard& read, const std::string& where) {
  constexpr double kInch_m = 0.0254, kCentimetre_m = 0.01;
  for (const char* key : {"square_size_override_cm", "square_size_overide_cm"})
    if (const double measured_cm = length_of(board, key); measured_cm > 0) return measured_cm * kCentimetre_m;
  const std::string units = board["units"].value_or(std::string());
  if (units != "inch" && units != "cm")
    return fail(ErrorKind::bad_data, "neither square_size_override_cm nor units (inch or cm) are there",
                where, "Measure a square of the printed board, and state it: square_size_override_cm.");
  return std::min(length_of(board, "board_width") / read.columns,
                  length_of(board, "board_height") / read.rows) *
         (units == "inch" ? kInch_m : kCentimetre_m);
}

}  // namespace

Result<CaliscopeBoard> read_caliscope_board(const std::filesystem::path& path) {
  const std::string where = path.string();
  VANTAGE_ASSIGN(const std::string text, calibration_detail::read_board_text(path, kAdvice));
  VANTAGE_ASSIGN(const auto document, calibration_detail::parse_toml(text, where));
  const toml::table& file = calibration_detail::toml_of(*document);
  const toml::table* section = file["charuco"].as_table();
  const toml::table& board = section ? *section : file;
  CaliscopeBoard read;
  constexpr int64_t kMax = 1000;
  read.columns = static_cast<int>(std::clamp<int64_t>(board["columns"].value_or(int64_t{0}), 0, kMax));
  read.rows = static_cast<int>(std::clamp<int64_t>(board["rows"].value_or(int64_t{0}), 0, kMax));
  read.dictionary = board["dictionary"].value_or(std::string());
  if (read.columns == 0 || read.rows == 0 || read.dictionary.empty())
    return fail(ErrorKind::bad_data, "does not state the board (columns, rows, dictionary)", where, kAdvice);
  VANTAGE_ASSIGN(read.square_m, square_m(board, read, where));
  read.marker_m = read.square_m * board["aruco_scale"].value_or(0.0);
  if (!std::isfinite(read.square_m) || !(read.square_m > 0) || !(read.marker_m > 0))
    return fail(ErrorKind::bad_data, "the sides of squares and markers are not lengths", where,
                "Check square_size_override_cm, board_width, board_height and aruco_scale.");
  return read;
}

namespace {

using calibration_detail::number;
using calibration_detail::whole_number;
using nlohmann::json;

Result<KalibrTarget> aprilgrid_of(const json& target, const std::string& where) {
  KalibrTarget found{.tags = true};
  VANTAGE_ASSIGN(found.columns, whole_number(target, "tagCols", where));
  VANTAGE_ASSIGN(found.rows, whole_number(target, "tagRows", where));
  VANTAGE_ASSIGN(found.side_m, number(target, "tagSize", where));
  VANTAGE_ASSIGN(const double gap_of_side, number(target, "tagSpacing", where));
  found.gap_m = gap_of_side * found.side_m;
  return found;
}

Result<KalibrTarget> checkerboard_of(const json& target, const std::string& where) {
  KalibrTarget found;
  VANTAGE_ASSIGN(found.columns, whole_number(target, "targetCols", where));
  VANTAGE_ASSIGN(found.rows, whole_number(target, "targetRows", where));
  VANTAGE_ASSIGN(found.side_m, number(target, "colSpacingMeters", where));
  VANTAGE_ASSIGN(const double height_m, number(target, "rowSpacingMeters", where));
  if (!(std::abs(height_m - found.side_m) <= 1e-9 * std::abs(found.side_m)))
    return fail(ErrorKind::unsupported, "the board's rectangles are not squares", where,
                "rowSpacingMeters and colSpacingMeters must be equal.");
  return found;
}

}  // namespace

Result<KalibrTarget> read_kalibr_target(const std::filesystem::path& path) {
  const std::string where = path.string();
  VANTAGE_ASSIGN(const std::string text,
                 calibration_detail::read_board_text(path, "Give Kalibr's target.yaml."));
  VANTAGE_ASSIGN(const auto document, calibration_detail::parse_yaml(text, where));
  const json& target = calibration_detail::json_of(*document);
  const std::string type = calibration_detail::text_of(target, "target_type");
  if (type == "aprilgrid") return aprilgrid_of(target, where);
  if (type == "checkerboard") return checkerboard_of(target, where);
  return fail(type.empty() ? ErrorKind::bad_data : ErrorKind::unsupported,
              type.empty() ? "does not state the kind of board (target_type)"
                           : "boards of the type '" + type + "' are not understood",
              where, "Boards of Kalibr that are: aprilgrid and checkerboard.");
}

}  // namespace vantage
