// The ChArUco board of a caliscope session: its charuco.toml, or the section [charuco] of an older
// config.toml. columns, rows (of squares), dictionary, aruco_scale (a marker's side over a square's), and
// square_size_override_cm (older: square_size_overide_cm), or board_width, board_height and units (inch or
// cm), into which squares as large as fit are drawn. `inverted` and `legacy_pattern` are not needed: pictures
// tell both.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace vantage {

struct CaliscopeBoard {
  int columns = 0, rows = 0;  // of squares
  double square_m = 0, marker_m = 0;
  std::string dictionary;  // "DICT_4X4_50"
};

// Errors: io; bad_data on a damaged file and values that are missing or out of range.
Result<CaliscopeBoard> read_caliscope_board(const std::filesystem::path& path);

}  // namespace vantage
