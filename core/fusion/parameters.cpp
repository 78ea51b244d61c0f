#include "core/fusion/fusion.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<FusionParameters>() {
  using P = FusionParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "fusion", "Fusion",
      {
          real<&P::min_score>("Minimum score", "", 0, 1, "Detections with a lower score are ignored."),
          real<&P::person_cost>("Cost of a person", "nats", 0, 50,
                                "How much better all cameras must be explained with a person than without."),
          real<&P::detection_rate>("Detection rate", "", 0, 0.999,
                                   "Probability that a camera's detector finds a person whom nothing hides.",
                                   expert),
          real<&P::track_prior>(
              "Weight of tracks", "nats", 0, 20,
              "How much likelier people are where a track expects them, and less likely elsewhere.", expert),
      });
  return table;
}

}  // namespace vantage
