#include "core/tracking/people.h"
#include "core/tracking/tracker.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<PeopleParameters>() {
  using P = PeopleParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "people", "People",
      {choice<&P::source>({.name = "source",
                           .display_name = "Found in",
                           .unit = "",
                           .help = "volume: bodies that explain the masks where volume stands; occupancy: "
                                   "cells of the probabilistic occupancy map, from the masks alone; fused: "
                                   "the cameras' detections together, unknown in frames of which fewer than "
                                   "two cameras have any, and tracks go on over those; automatic: fused "
                                   "where the project has detections, else volume",
                           .choices = {"volume", "occupancy", "fused", "automatic"}}),
       real<&P::min_volume_l>({.name = "min_volume_l",
                               .display_name = "Smallest volume",
                               .unit = "l",
                               .help = "Occupied volume over a footprint from which somebody may stand there",
                               .minimum = 0.5,
                               .maximum = 100}),
       real<&P::min_height_m>({.name = "min_height_m",
                               .display_name = "Smallest height",
                               .unit = "m",
                               .help = "Peaks that end lower are not people",
                               .minimum = 0.2,
                               .maximum = 2}),
       real<&P::min_own>({.name = "min_own",
                          .display_name = "Own share",
                          .unit = "",
                          .help = "Least share of a body's outline that only this person explains, mean over "
                                  "the cameras, less 0.4 of what is background there; lower ones are ghosts",
                          .minimum = 0,
                          .maximum = 1,
                          .level = ParameterLevel::expert}),
       real<&P::min_fill>(
           {.name = "min_fill",
            .display_name = "Foreground in the outline",
            .unit = "",
            .help = "Least share of a body's outline that is foreground, mean over the cameras",
            .minimum = 0,
            .maximum = 1,
            .level = ParameterLevel::expert}),
       real<&P::max_height_m>({.name = "max_height_m",
                               .display_name = "Largest height",
                               .unit = "m",
                               .help = "Peaks that end higher are not people",
                               .minimum = 1,
                               .maximum = 4,
                               .level = ParameterLevel::expert}),
       real<&P::footprint_m>({.name = "footprint_m",
                              .display_name = "Footprint",
                              .unit = "m",
                              .help = "Side of the square that a standing person fills",
                              .minimum = 0.2,
                              .maximum = 1,
                              .level = ParameterLevel::expert}),
       real<&P::separation_m>({.name = "separation_m",
                               .display_name = "Separation",
                               .unit = "m",
                               .help = "Nearest that two people's axes come to each other",
                               .minimum = 0.1,
                               .maximum = 1,
                               .level = ParameterLevel::expert})});
  return table;
}

template <>
const ParameterTable& parameter_table<TrackingParameters>() {
  using P = TrackingParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "tracking", "Tracks",
      {choice<&P::method>({.name = "method",
                           .display_name = "Tracker",
                           .unit = "",
                           .help = "greedy numbers people frame by frame; paths numbers them anew when the "
                                   "analysis ends, from all frames together; automatic: paths in "
                                   "recordings whose people come from detections, else greedy",
                           .choices = {"greedy", "paths", "automatic"}}),
       real<&P::max_speed_m_per_s>({.name = "max_speed_m_per_s",
                                    .display_name = "Highest speed",
                                    .unit = "m/s",
                                    .help = "How fast somebody may leave the predicted path",
                                    .minimum = 0.5,
                                    .maximum = 12}),
       real<&P::keep_s>({.name = "keep_s",
                         .display_name = "Keep lost tracks",
                         .unit = "s",
                         .help = "How long a track waits for a person nobody sees",
                         .minimum = 0,
                         .maximum = 10}),
       real<&P::outage_keep_s>({.name = "outage_keep_s",
                                .display_name = "Keep in an outage",
                                .unit = "s",
                                .help = "The same while a camera gives no pictures, if that is longer",
                                .minimum = 0,
                                .maximum = 10,
                                .level = ParameterLevel::expert}),
       integer<&P::confirm_frames>({.name = "confirm_frames",
                                    .display_name = "Frames to confirm",
                                    .unit = "frames",
                                    .help = "Detections in a row before a new person gets a number",
                                    .minimum = 1,
                                    .maximum = 50,
                                    .level = ParameterLevel::expert}),
       real<&P::outage_confirm_s>(
           {.name = "outage_confirm_s",
            .display_name = "Confirm in an outage",
            .unit = "s",
            .help = "Likewise while a camera gives no pictures, in seconds, if that is longer",
            .minimum = 0,
            .maximum = 10,
            .level = ParameterLevel::expert}),
       real<&P::gate_m>({.name = "gate_m",
                         .display_name = "Gate",
                         .unit = "m",
                         .help = "Distance from the predicted place that always counts as the same person",
                         .minimum = 0.05,
                         .maximum = 2,
                         .level = ParameterLevel::expert}),
       real<&P::rejoin_m>(
           {.name = "rejoin_m",
            .display_name = "Rejoin within",
            .unit = "m",
            .help = "Who is new takes the number of somebody lost who was expected so near; 0: of nobody",
            .minimum = 0,
            .maximum = 5,
            .level = ParameterLevel::expert}),
       real<&P::height_weight>(
           {.name = "height_weight",
            .display_name = "Weight of height",
            .unit = "",
            .help = "So many metres on the floor a metre of difference in height counts for; 0: only places",
            .minimum = 0,
            .maximum = 10,
            .level = ParameterLevel::expert}),
       real<&P::smoothing_s>(
           {.name = "smoothing_s",
            .display_name = "Smoothing",
            .unit = "s",
            .help = "Time over which places and speeds are averaged; longer follows turns more slowly",
            .minimum = 0.02,
            .maximum = 5,
            .level = ParameterLevel::expert}),
       integer<&P::device_from_pairs>(
           {.name = "device_from_pairs",
            .display_name = "Pairs for the GPU",
            .unit = "pairs",
            .help =
                "With so many pairs of track and detection they are joined on the GPU, where the analysis "
                "has one; fewer are joined sooner on the CPU, with the same result",
            .minimum = 0,
            .maximum = 1e9,
            .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
