// The text of a small file that describes a board.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace vantage::calibration_detail {

// `advice`: what to give instead, as a sentence. Errors: io; bad_data on an empty, large or binary file.
Result<std::string> read_board_text(const std::filesystem::path& path, const char* advice);

}  // namespace vantage::calibration_detail

namespace vantage {

// The ChArUco board of a caliscope session: its charuco.toml, or the section [charuco] of an older
// config.toml. columns, rows (of squares), dictionary, aruco_scale (a marker's side over a square's), and
// square_size_override_cm (older: square_size_overide_cm), or board_width, board_height and units (inch or
// cm), into which squares as large as fit are drawn. `inverted` and `legacy_pattern` are not needed: pictures
// tell both.

struct CaliscopeBoard {
  int columns = 0, rows = 0;  // of squares
  double square_m = 0, marker_m = 0;
  std::string dictionary;  // "DICT_4X4_50"
};

// Errors: io; bad_data on a damaged file and values that are missing or out of range.
Result<CaliscopeBoard> read_caliscope_board(const std::filesystem::path& path);

// The board of a Kalibr calibration, its target.yaml: target_type aprilgrid (tagCols, tagRows, tagSize,
// tagSpacing) or checkerboard (targetCols, targetRows, rowSpacingMeters, colSpacingMeters).

struct KalibrTarget {
  bool tags = false;          // otherwise a chessboard
  int columns = 0, rows = 0;  // of tags, or of inner corners
  double side_m = 0;          // of a tag with its black border, or of a square
  double gap_m = 0;           // between tags
};

// Errors: io; bad_data on a damaged file; unsupported on other targets, and squares that are not as high as
// wide.
Result<KalibrTarget> read_kalibr_target(const std::filesystem::path& path);

}  // namespace vantage
