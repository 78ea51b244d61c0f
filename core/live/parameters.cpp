#include "core/live/recording_writer.h"

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
          real<&P::before_s>(
              "Before", "s", 0, 30,
              "Time before Record is pressed, or before the event, at which a recording begins.", expert,
              added),
          boolean<&P::events>(
              "Record events",
              "Each event of live cameras is recorded separately, as a project next to this one.", expert,
              added),
          real<&P::after_s>("After", "s", 0, 3600,
                            "Time after the end of an event at which its recording ends.", expert, added),
          real<&P::past_min>(
              "Past", "min", 2, 10,
              "Length of the live cameras' past that is kept for review while they are open in the window.",
              added),
          real<&P::past_gb>("Past, maximum size", "GB", 0.01, 1000,
                            "The oldest of the past is dropped beyond this size, all cameras together, also "
                            "where less than the minutes above is left.",
                            expert, added),
          real<&P::segment_s>("Segment length", "s", 1, 3600, "Length of one file of a recorded stream.",
                              expert),
      });
  return table;
}

}  // namespace vantage
