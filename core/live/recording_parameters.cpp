#include "core/live/recording_parameters.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<RecordingParameters>() {
  using P = RecordingParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "recording", "Recording",
      {real<&P::keep_h>({.name = "keep_h",
                         .display_name = "Keep",
                         .unit = "h",
                         .help = "Of live cameras: older parts of the recording are removed; 0 keeps all",
                         .minimum = 0,
                         .maximum = 10000}),
       real<&P::keep_gb>(
           {.name = "keep_gb",
            .display_name = "Keep at most",
            .unit = "GB",
            .help = "Of live cameras: the oldest parts are removed beyond that size; 0 keeps all",
            .minimum = 0,
            .maximum = 1e6}),
       real<&P::reserve_gb>(
           {.name = "reserve_gb",
            .display_name = "Keep free",
            .unit = "GB",
            .help = "The recording stops when less is free on its disk; the analysis goes on",
            .minimum = 0,
            .maximum = 1e6,
            .level = ParameterLevel::expert}),
       real<&P::segment_s>({.name = "segment_s",
                            .display_name = "Segment",
                            .unit = "s",
                            .help = "Length of one file of a recorded stream",
                            .minimum = 1,
                            .maximum = 3600,
                            .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
