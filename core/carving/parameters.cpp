#include "core/carving/carving.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<CarvingParameters>() {
  static const ParameterTable table = ParameterTable::make<CarvingParameters>(
      "carving", "Volume",
      {real<&CarvingParameters::threshold>(
          {.name = "threshold",
           .display_name = "Agreement",
           .unit = "",
           .help = "Share of all cameras that must see foreground at a voxel; 1: every one of them",
           .minimum = 0.01,
           .maximum = 1.0})});
  return table;
}

}  // namespace vantage
