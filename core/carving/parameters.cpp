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
            .help =
                "Share of the cameras seeing a place that must see foreground there; 1: every one of them",
            .minimum = 0.01,
            .maximum = 1.0}),
       integer<&CarvingParameters::min_cameras>(
           {.name = "min_cameras",
            .display_name = "Least cameras",
            .unit = "cameras",
            .help = "So many cameras must see a place before it counts (all, when there are fewer)",
            .minimum = 1,
            .maximum = 64}),
       choice<&CarvingParameters::divide_by>(
           {.name = "divide_by",
            .display_name = "Share of",
            .unit = "",
            .help = "Agreement is a share of the cameras seeing a place, or of all cameras",
            .choices = {"seeing", "all"},
            .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
