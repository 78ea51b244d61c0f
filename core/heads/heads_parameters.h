// What can be set about head detection.
#pragma once

#include "core/base/parameters.h"

namespace vantage {

struct HeadParameters {
  bool enabled = false;
  double threshold = 1;     // times the score that the model demands of a head
  double overlap = 0.3;     // of two boxes, over their union, above which the weaker one goes
  double smallest_px = 12;  // head's height in the picture
  double largest_px = 400;
  int stride = 2;             // from window to window on levels of scale below 2; 1 on the others
  double min_height_m = 1.2;  // of people, where there is a calibration
  double max_height_m = 2.1;
  bool upright = true;     // turn pictures of cameras that hang askew, where there is a calibration
  bool guided = true;      // join what views say that alone is not enough, where there is a calibration
  double faint = 0.63;     // times the score that the model demands of a window; for joining views
  double together = 0.85;  // times the score that a head in one view needs: what views must say together
};
template <>
const ParameterTable& parameter_table<HeadParameters>();

}  // namespace vantage
