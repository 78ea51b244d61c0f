#include "core/detections/detection_parameters.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<DetectionParameters>() {
  using P = DetectionParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "detections", "Detections",
      {boolean<&P::enabled>({.name = "enabled",
                             .display_name = "Use detections",
                             .unit = "",
                             .help = "Boxes of people from the model or the files that the project names; "
                                     "without either nothing is done."}),
       real<&P::min_score>({.name = "min_score",
                            .display_name = "Min score",
                            .unit = "",
                            .help = "Boxes of a lower score are left out.",
                            .minimum = 0.05,
                            .maximum = 1}),
       real<&P::shown_score>({.name = "shown_score",
                              .display_name = "Min score shown",
                              .unit = "",
                              .help =
                                  "Boxes of a lower score are drawn dimmed in the views; whether they are "
                                  "evidence, fusion.min_score says.",
                              .minimum = 0.05,
                              .maximum = 1,
                              .level = ParameterLevel::expert}),
       choice<&P::family>(
           {.name = "family",
            .display_name = "Model's family",
            .unit = "",
            .help = "How the model's outputs are read; auto tells it by their number and shape.",
            .choices = {"auto", "rtmdet", "yolox", "nanodet", "detr"},
            .level = ParameterLevel::expert}),
       choice<&P::engine>({.name = "engine",
                           .display_name = "Engine",
                           .unit = "",
                           .help = "What runs the model: auto takes ONNX Runtime where it is found, which is "
                                   "faster, else OpenCV.",
                           .choices = {"auto", "onnxruntime", "opencv"},
                           .level = ParameterLevel::expert}),
       integer<&P::long_side_px>({.name = "long_side",
                                  .display_name = "Long side",
                                  .unit = "px",
                                  .help =
                                      "Of the model's input, a multiple of 32; larger finds smaller people "
                                      "and takes longer. A model of fixed size keeps its own.",
                                  .minimum = 128,
                                  .maximum = 2048,
                                  .level = ParameterLevel::expert}),
       integer<&P::every>({.name = "every",
                           .display_name = "Every",
                           .unit = "sets",
                           .help = "The model looks at every so many sets; the others are unknown.",
                           .minimum = 1,
                           .maximum = 100}),
       real<&P::overlap>({.name = "overlap",
                          .display_name = "Overlap",
                          .unit = "",
                          .help =
                              "Of two of the model's boxes that overlap more, over their union, the weaker "
                              "one goes.",
                          .minimum = 0.1,
                          .maximum = 1,
                          .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
