#include "core/carving/carving.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<CarvingParameters>() {
  using P = CarvingParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "carving", "Volume",
      {
          real<&P::threshold>(
              "Agreement", "", 0.01, 1,
              "Share of the cameras seeing a place that must see foreground there; 1: all of them."),
          integer<&P::min_cameras>(
              "Minimum cameras", "cameras", 1, 64,
              "Cameras that must see a place before it counts; all, where there are fewer."),
          choice<&P::divide_by>(
              "Agreement of", {"seeing", "all"},
              "Whether agreement is a share of the cameras that see a place or of all cameras.", expert),
      });
  return table;
}

}  // namespace vantage
