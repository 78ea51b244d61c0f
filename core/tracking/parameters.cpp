#include "core/tracking/tracker.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<TrackingParameters>() {
  using P = TrackingParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "tracking", "Tracks",
      {
          choice<&P::method>("Tracker", {"greedy", "paths", "automatic"},
                             "greedy assigns IDs frame by frame; paths assigns them again from all frames "
                             "together when the analysis ends; automatic: paths in recordings, greedy live."),
          real<&P::max_speed_m_per_s>("Maximum speed", "m/s", 0.5, 12,
                                      "How fast a person may leave the predicted path."),
          real<&P::keep_s>("Keep lost tracks", "s", 0, 10,
                           "How long a track waits for a person whom no camera sees."),
          real<&P::outage_keep_s>("Keep during an outage", "s", 0, 10,
                                  "The same while a camera delivers no pictures, if that is longer.", expert),
          integer<&P::confirm_frames>("Frames to confirm", "frames", 1, 50,
                                      "Detections in a row before a new person gets an ID.", expert),
          real<&P::outage_confirm_s>(
              "Confirm during an outage", "s", 0, 10,
              "Time of such detections while a camera delivers no pictures, if that is longer.", expert),
          real<&P::gate_m>("Gate", "m", 0.05, 2,
                           "Distance from the predicted position that always counts as the same person.",
                           expert),
          real<&P::rejoin_m>(
              "Rejoin within", "m", 0, 5,
              "A new person this close to where a lost one was expected gets its ID; 0: never.", expert),
          real<&P::height_weight>(
              "Height weight", "", 0, 10,
              "Metres on the floor that a metre of difference in height counts as; 0: only positions count.",
              expert),
          real<&P::smoothing_s>(
              "Smoothing", "s", 0.02, 5,
              "Time over which positions and speeds are averaged; longer follows turns more slowly.", expert),
          integer<&P::device_from_pairs>(
              "Pairs for the GPU", "pairs", 0, 1'000'000'000,
              "From so many pairs of track and detection on they are associated on the GPU, where the "
              "analysis has one; fewer are faster on the CPU, with the same result.",
              expert),
      });
  return table;
}

}  // namespace vantage
