#include "core/people/triangulation/triangulation.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<TriangulationParameters>() {
  using P = TriangulationParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "triangulation", "Joining views",
      {
          real<&P::gate_m>("Gate", "m", 0.01, 1, "Maximum distance of a point from its rays."),
          integer<&P::min_views>("Minimum views", "cameras", 2, 16,
                                 "Cameras that must have found the point."),
          real<&P::unseen_penalty>(
              "Penalty of a missing view", "", 0, 2,
              "What a point loses for each camera that sees its place but found nothing there."),
          real<&P::separation_m>("Separation", "m", 0, 2, "Two points nearer to each other are one."),
          real<&P::min_height_m>("Minimum height", "m", -5, 5, "Lower points are not joined.", expert),
          real<&P::max_height_m>("Maximum height", "m", -5, 10, "Higher points are not joined.", expert),
          real<&P::floor_separation_m>("Separation across the floor", "m", 0, 2,
                                       "Of two points nearer to each other across the floor one is "
                                       "suppressed: people do not stand above one another.",
                                       expert),
          real<&P::size_gate>("Size gate", "", 0.01, 3,
                              "Maximum difference of the logarithm of a size from its point's.", expert),
          real<&P::min_size_m>("Minimum size", "m", 0, 100, "Smaller things are not joined.", expert),
          real<&P::max_size_m>("Maximum size", "m", 0, 100, "Larger things are not joined.", expert),
      });
  return table;
}

}  // namespace vantage
