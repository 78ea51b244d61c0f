// Annotations of WILDTRACK as tracks: T. Chavdarova et al., "WILDTRACK: A Multi-camera HD Dataset for Dense
// Unscripted Pedestrian Detection", CVPR 2018. A folder with one JSON file a frame, 00000005.json, each a
// list of people:
//
//   {"personID": 7, "positionID": 456826, "views": [{"viewNum": 0, "xmin": 1, "ymin": 2, "xmax": 3, "ymax":
//   4}]}
//
// positionID counts cells of 2.5 cm, 480 across x and 1440 along y, from (-3 m, -9 m):
//   x = -3 m + 2.5 cm * (positionID mod 480),   y = -9 m + 2.5 cm * floor(positionID / 480),
// as the data set's own tools have it, without half a cell. A box of -1 is a camera that does not see the
// person. MultiviewX (Y. Hou, L. Zheng, S. Gould, "Multiview Detection with Feature Perspective
// Transformation", ECCV 2020) has such files with another grid.
#pragma once

#include <filesystem>
#include <set>
#include <vector>

#include "core/metrics/tracking_metrics.h"

namespace vantage {

// positionID = row * columns + column.
struct AnnotationGrid {
  int columns = 480, rows = 1440;
  double cell_m = 0.025;
  double left_m = -3, low_m = -9;  // corner of position 0
};
inline constexpr AnnotationGrid kMultiviewX{1000, 640, 0.025, 0, 0};

struct WildtrackOptions {
  AnnotationGrid grid = {};
  int step = 1;   // files' numbers from one frame of the recording to the next
  int view = -1;  // the camera of the boxes; -1: none, and everybody has a row, seen by that camera or not
};

struct WildtrackTracks {
  std::vector<TrackRow> rows;  // frames count from 1, as in tracks.csv
  std::set<int64_t> frames;    // annotated ones, also those without people
};

// True of a folder of such files.
bool is_wildtrack(const std::filesystem::path& path);
// Errors name the file: not_found, bad_data (no such list, a position outside the grid, a number that is no
// multiple of the step).
Result<WildtrackTracks> read_wildtrack(const std::filesystem::path& folder, const WildtrackOptions& options);

}  // namespace vantage
