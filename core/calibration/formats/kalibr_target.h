// The board of a Kalibr calibration, its target.yaml: target_type aprilgrid (tagCols, tagRows, tagSize,
// tagSpacing) or checkerboard (targetCols, targetRows, rowSpacingMeters, colSpacingMeters).
#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace vantage {

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
