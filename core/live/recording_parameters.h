// How live cameras are recorded: parameters of the project, "recording.keep_h" on the command line.
#pragma once

#include "core/base/parameters.h"

namespace vantage {

struct RecordingParameters {
  double segment_s = 60;  // length of a file of the stream
  double keep_h = 0;      // older segments are removed; 0: none
  double keep_gb =
      0;  // the oldest segments are removed beyond that, all cameras together, 10^9 bytes; 0: none
  double reserve_gb = 1;  // the recording stops when less is free on its disk
};
template <>
const ParameterTable& parameter_table<RecordingParameters>();

}  // namespace vantage
