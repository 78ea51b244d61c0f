#include "core/fusion/fusion.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<FusionParameters>() {
  using P = FusionParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "fusion", "Fusion",
      {real<&P::min_score>({.name = "min_score",
                            .display_name = "Smallest score",
                            .unit = "",
                            .help = "Detections with a lower score are not looked at",
                            .minimum = 0,
                            .maximum = 1}),
       real<&P::person_cost>({.name = "person_cost",
                              .display_name = "Cost of a person",
                              .unit = "nats",
                              .help = "So much have the cameras to be explained better by each person",
                              .minimum = 0,
                              .maximum = 50}),
       real<&P::detection_rate>(
           {.name = "detection_rate",
            .display_name = "Detection rate",
            .unit = "",
            .help = "Probability that a camera's detector finds somebody whom nothing hides",
            .minimum = 0,
            .maximum = 0.999,
            .level = ParameterLevel::expert}),
       real<&P::track_prior>(
           {.name = "track_prior",
            .display_name = "Weight of tracks",
            .unit = "nats",
            .help = "People are so much likelier where a track expects them, and less elsewhere",
            .minimum = 0,
            .maximum = 20,
            .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
