#include "core/heads/heads_parameters.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<HeadParameters>() {
  using P = HeadParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "heads", "Head detection",
      {
          boolean<&P::enabled>("Detect heads", "Search for heads in every camera's picture."),
          real<&P::threshold>(
              "Threshold", "", 0.05, 20,
              "Times the score that the model demands of a head: higher finds less and errs less.",
              logarithmic),
          real<&P::overlap>(
              "Maximum overlap", "", 0, 1,
              "Of two boxes that overlap more (intersection over union) the weaker one is suppressed.",
              expert),
          real<&P::smallest_px>("Smallest head", "px", 11, 1000,
                                "Height in the picture; below 11 px nothing is searched for.", expert,
                                logarithmic),
          real<&P::largest_px>("Largest head", "px", 11, 4000, "Height in the picture.", expert, logarithmic),
          integer<&P::stride_px>("Stride", "px", 1, 2,
                                 "From window to window where windows are smaller than 48 px; 1 elsewhere.",
                                 expert),
          real<&P::min_height_m>(
              "Minimum height", "m", 0.3, 2.5,
              "With a calibration, heads of people smaller than this are not searched for.", expert),
          real<&P::max_height_m>("Maximum height", "m", 0.5, 3,
                                 "With a calibration, heads of people taller than this are not searched for.",
                                 expert),
          boolean<&P::upright>("Turn upright",
                               "With a calibration, the picture of a camera that hangs askew is turned "
                               "before heads are searched for.",
                               expert),
          boolean<&P::guided>("Combine views",
                              "With a calibration, a head of which no view is sure is found where several "
                              "views together suggest it."),
          real<&P::faint>("Faint windows", "", 0.3, 1,
                          "Times the score that the model demands of a window: from there on it counts where "
                          "other views suggest the same head.",
                          expert),
          real<&P::together>("Combined score", "", 0.2, 20,
                             "Times the score that a head in one view needs: what several views must reach "
                             "together for one of which none is sure.",
                             expert, logarithmic),
      });
  return table;
}

}  // namespace vantage
