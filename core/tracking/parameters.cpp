#include "core/tracking/people.h"
#include "core/tracking/tracker.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<PeopleParameters>() {
  using P = PeopleParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "people", "People",
      {
          choice<&P::source>(
              "Source", {"volume", "occupancy", "fused", "automatic"},
              "volume: bodies that explain the masks where volume stands; occupancy: cells of the "
              "probabilistic occupancy map, from the masks alone; fused: the cameras' detections together, "
              "unknown in frames in which fewer than two cameras have any, and tracks continue over those; "
              "automatic: fused where the project has detections, else volume."),
          real<&P::min_volume_l>("Minimum volume", "l", 0.5, 100,
                                 "Occupied volume over a footprint from which on a person may stand there."),
          real<&P::min_height_m>("Minimum height", "m", 0.2, 2, "Lower peaks are not people."),
          real<&P::min_own>("Minimum own outline", "", 0, 1,
                            "Share of a body's outline that only this person explains, mean over the "
                            "cameras, less 0.4 of what is background there; bodies below are ghosts.",
                            expert),
          real<&P::min_fill>("Minimum foreground", "", 0, 1,
                             "Share of a body's outline that must be foreground, mean over the cameras.",
                             expert),
          real<&P::max_height_m>("Maximum height", "m", 1, 4, "Higher peaks are not people.", expert),
          real<&P::footprint_m>("Footprint", "m", 0.2, 1, "Side of the square that a standing person fills.",
                                expert),
          real<&P::separation_m>("Minimum separation", "m", 0.1, 1,
                                 "Smallest distance between the axes of two people.", expert),
      });
  return table;
}

template <>
const ParameterTable& parameter_table<TrackingParameters>() {
  using P = TrackingParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "tracking", "Tracks",
      {
          choice<&P::method>("Tracker", {"greedy", "paths", "automatic"},
                             "greedy numbers people frame by frame; paths numbers them again from all frames "
                             "together when the analysis ends; automatic: paths in recordings whose people "
                             "come from detections, else greedy."),
          real<&P::max_speed_m_per_s>("Maximum speed", "m/s", 0.5, 12,
                                      "How fast a person may leave the predicted path."),
          real<&P::keep_s>("Keep lost tracks", "s", 0, 10,
                           "How long a track waits for a person whom nobody sees."),
          real<&P::outage_keep_s>("Keep during an outage", "s", 0, 10,
                                  "The same while a camera delivers no pictures, if that is longer.", expert),
          integer<&P::confirm_frames>("Frames to confirm", "frames", 1, 50,
                                      "Detections in a row before a new person gets a number.", expert),
          real<&P::outage_confirm_s>(
              "Confirm during an outage", "s", 0, 10,
              "Time of such detections while a camera delivers no pictures, if that is longer.", expert),
          real<&P::gate_m>("Gate", "m", 0.05, 2,
                           "Distance from the predicted position that always counts as the same person.",
                           expert),
          real<&P::rejoin_m>(
              "Rejoin within", "m", 0, 5,
              "A new person this near to where a lost one was expected takes over that number; 0: never.",
              expert),
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
