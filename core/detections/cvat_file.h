// Annotations of CVAT, "CVAT for video 1.1" and "CVAT for images 1.1" (XML): boxes of tracks and of pictures.
// Rotated boxes become upright ones around them. Polygons, points and other shapes are counted only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace vantage {

struct CvatBox {
  int64_t frame = 0;                                            // in <track>: of the task's video, from 0
  double left_px = 0, top_px = 0, right_px = 0, bottom_px = 0;  // as in the file
  bool outside = false;                                         // the track is gone from here on
  std::string label;
  std::string where;  // "line 12"
};
struct CvatTrack {
  std::string label;
  bool person = false;  // by the label: "person", "pedestrian", …
  int64_t id = 0;  // the attribute id or track_id, which outlives an import into CVAT, else the track's own
  std::vector<CvatBox> boxes;  // frames ascend; those between two boxes lie on the straight line
};
struct CvatImage {
  int64_t id = 0;
  std::string name;
  std::vector<CvatBox> boxes;
};
struct CvatFile {
  std::vector<CvatTrack> tracks;
  std::vector<CvatImage> images;  // also those without boxes
  int64_t step = 1;               // of the task's frames
  int64_t other_shapes = 0;
  int64_t skipped = 0;                // boxes that could not be read
  std::vector<std::string> problems;  // "line 12: ...", the first ones
};

bool names_cvat(std::string_view text);  // by its beginning
// Errors: bad_data where the text is not well-formed, with the line, and where tracks leave more frames
// between their boxes than a recording has.
Result<CvatFile> parse_cvat(std::string_view text, const std::string& where);

}  // namespace vantage
