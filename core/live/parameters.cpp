#include "core/live/recording_parameters.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<RecordingParameters>() {
  using P = RecordingParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "recording", "Recording",
      {
          real<&P::keep_h>("Maximum age", "h", 0, 10000,
                           "Older parts of the recording of live cameras are removed; 0 keeps all."),
          real<&P::keep_gb>("Maximum size", "GB", 0, 1e6,
                            "The oldest parts of the recording are removed beyond this size, all cameras "
                            "together; 0 keeps all."),
          real<&P::reserve_gb>("Keep free", "GB", 0, 1e6,
                               "The recording stops when less is free on its disk; the analysis continues.",
                               expert),
          real<&P::segment_s>("Segment length", "s", 1, 3600, "Length of one file of a recorded stream.",
                              expert),
      });
  return table;
}

}  // namespace vantage
