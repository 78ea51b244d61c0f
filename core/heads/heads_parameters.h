// Parameters of head detection.
#pragma once

#include "core/base/parameters.h"

namespace vantage {

struct HeadParameters {
  bool enabled = false;
  double threshold = 1;
  double overlap = 0.3;
  double smallest_px = 12;
  double largest_px = 400;
  int stride_px = 2;  // on levels of scale below 2
  double min_height_m = 1.2;
  double max_height_m = 2.1;
  bool upright = true;
  bool guided = true;
  double faint = 0.63;
  double together = 0.85;
};
template <>
const ParameterTable& parameter_table<HeadParameters>();

}  // namespace vantage
