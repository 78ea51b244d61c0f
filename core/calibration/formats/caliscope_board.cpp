#include "core/calibration/formats/caliscope_board.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/calibration/formats/detail/board_text.h"
#include "core/calibration/formats/detail/toml_document.h"

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

}  // namespace vantage
