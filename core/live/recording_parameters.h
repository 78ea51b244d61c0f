// How live cameras are recorded: parameters of the project, "recording.keep_h" on the command line.
#pragma once

#include "core/base/parameters.h"

namespace vantage {

struct RecordingParameters {
  double segment_s = 60;
  double keep_h = 0;
  double keep_gb = 0;  // of 10^9 bytes
  double reserve_gb = 1;
  double before_s = 5;
  bool events = false;
  double after_s = 5;
  double past_min = 2;
  double past_gb = 2;
};
template <>
const ParameterTable& parameter_table<RecordingParameters>();

}  // namespace vantage
