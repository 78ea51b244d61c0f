#include "core/heads/heads_parameters.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<HeadParameters>() {
  using P = HeadParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "heads", "Head detection",
      {boolean<&P::enabled>({.name = "enabled",
                             .display_name = "Detect heads",
                             .unit = "",
                             .help = "Looks for heads in every camera's picture."}),
       real<&P::threshold>({.name = "threshold",
                            .display_name = "Threshold",
                            .unit = "",
                            .help = "Times the score a head needs: higher finds less and errs less.",
                            .minimum = 0.05,
                            .maximum = 20,
                            .scale = ParameterScale::logarithmic}),
       real<&P::overlap>({.name = "overlap",
                          .display_name = "Overlap",
                          .unit = "",
                          .help = "Of two boxes that overlap more, the weaker one goes.",
                          .minimum = 0,
                          .maximum = 1,
                          .level = ParameterLevel::expert}),
       real<&P::smallest_px>({.name = "smallest",
                              .display_name = "Smallest head",
                              .unit = "px",
                              .help = "Height in the picture; below 11 px nothing is looked for.",
                              .minimum = 11,
                              .maximum = 1000,
                              .level = ParameterLevel::expert,
                              .scale = ParameterScale::logarithmic}),
       real<&P::largest_px>({.name = "largest",
                             .display_name = "Largest head",
                             .unit = "px",
                             .help = "Height in the picture.",
                             .minimum = 11,
                             .maximum = 4000,
                             .level = ParameterLevel::expert,
                             .scale = ParameterScale::logarithmic}),
       integer<&P::stride>(
           {.name = "stride",
            .display_name = "Stride",
            .unit = "px",
            .help = "From window to window where windows are smaller than 48 px; 1 elsewhere.",
            .minimum = 1,
            .maximum = 2,
            .level = ParameterLevel::expert}),
       real<&P::min_height_m>({.name = "min_height",
                               .display_name = "Smallest person",
                               .unit = "m",
                               .help = "With a calibration, heads lower than this are not looked for.",
                               .minimum = 0.3,
                               .maximum = 2.5,
                               .level = ParameterLevel::expert}),
       real<&P::max_height_m>({.name = "max_height",
                               .display_name = "Tallest person",
                               .unit = "m",
                               .help = "With a calibration, heads higher than this are not looked for.",
                               .minimum = 0.5,
                               .maximum = 3,
                               .level = ParameterLevel::expert}),
       boolean<&P::upright>({.name = "upright",
                             .display_name = "Turn upright",
                             .unit = "",
                             .help = "With a calibration, the picture of a camera that hangs askew is turned "
                                     "before heads are looked for.",
                             .level = ParameterLevel::expert}),
       boolean<&P::guided>({.name = "guided",
                            .display_name = "Views help each other",
                            .unit = "",
                            .help =
                                "With a calibration, a head that no view is sure of is found where several "
                                "views speak for it."}),
       real<&P::faint>({.name = "faint",
                        .display_name = "Faint windows",
                        .unit = "",
                        .help = "Times the score that a window needs alone: from there on it counts where "
                                "other views speak for the same head.",
                        .minimum = 0.3,
                        .maximum = 1,
                        .level = ParameterLevel::expert}),
       real<&P::together>({.name = "together",
                           .display_name = "Views together",
                           .unit = "",
                           .help =
                               "Times the score that a head needs in one view: what several views must say "
                               "together for one that none is sure of.",
                           .minimum = 0.2,
                           .maximum = 20,
                           .level = ParameterLevel::expert,
                           .scale = ParameterScale::logarithmic})});
  return table;
}

}  // namespace vantage
