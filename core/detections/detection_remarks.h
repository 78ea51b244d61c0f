// Remarks on a file of detections that was read.
#pragma once

#include <string>
#include <vector>

#include "core/detections/detection_file.h"

namespace vantage {

// Assumptions, and how much was skipped with the first reason; empty: neither.
inline std::vector<std::string> remarks_on(const DetectionFile& file) {
  std::vector<std::string> all = file.notes;
  if (file.skipped > 0)
    all.push_back(std::to_string(file.skipped) + " entries were skipped; " + file.problems.front());
  return all;
}

}  // namespace vantage
