#include "core/features/daisy.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<DaisyParameters>() {
  using P = DaisyParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "daisy", "Descriptor",
      {real<&P::radius_px>({.name = "radius",
                            .display_name = "Radius",
                            .unit = "px",
                            .help = "Of the outermost ring of the DAISY descriptor.",
                            .minimum = 2,
                            .maximum = 30}),
       integer<&P::rings>({.name = "rings",
                           .display_name = "Rings",
                           .unit = "",
                           .help = "Rings of histograms around a pixel.",
                           .minimum = 1,
                           .maximum = kMostDaisyRings,
                           .level = ParameterLevel::expert}),
       integer<&P::points>({.name = "points",
                            .display_name = "Points",
                            .unit = "",
                            .help = "Histograms on a ring.",
                            .minimum = 1,
                            .maximum = kMostDaisyPoints,
                            .level = ParameterLevel::expert}),
       real<&P::flat>({.name = "flat",
                       .display_name = "Flat",
                       .unit = "",
                       .help = "Gradient in grey levels a pixel below which a histogram counts less.",
                       .minimum = 0.01,
                       .maximum = 20,
                       .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
