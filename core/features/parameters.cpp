#include "core/features/daisy.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<DaisyParameters>() {
  using P = DaisyParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "daisy", "Descriptor",
      {
          real<&P::radius_px>("Radius", "px", 2, 30, "Radius of the outermost ring of the DAISY descriptor."),
          integer<&P::rings>("Rings", "", 1, kMaxDaisyRings, "Rings of histograms around a pixel.", expert),
          integer<&P::points>("Points", "", 1, kMaxDaisyPoints, "Histograms on a ring.", expert),
          real<&P::flat>("Flatness", "", 0.01, 20,
                         "Gradient, in grey levels a pixel, below which a histogram counts less.", expert),
      });
  return table;
}

}  // namespace vantage
