#include "core/people/people.h"

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

}  // namespace vantage
