// Detections in a CSV file with the header "x,y,w,h,score" or "x,y,w,h,score,class": top-left corner and size
// in pixels; a class is any text. Rows keep their text, so that they can be written back unchanged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/primitives/nms.h"

namespace vantage {

struct DetectionTable {
  std::string header;
  bool has_class = false;
  std::vector<Detection> detections;  // class_id: order of first appearance; 0 without a class column
  std::vector<std::string> rows;      // the text of each, without its line end
};

// Spaces round the fields, empty lines and both line ends are accepted; "nan" and "inf" are numbers. Errors
// (bad_data) name `source` and the line.
Result<DetectionTable> read_detections(std::string_view text, const std::string& source);

// The kept rows in the order of the file: unchanged, or with the new score.
std::string write_kept_rows(const DetectionTable& table, const NmsResult& result, bool new_scores);

}  // namespace vantage
