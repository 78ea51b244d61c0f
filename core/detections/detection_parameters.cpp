#include "core/detections/detection_parameters.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<DetectionParameters>() {
  using P = DetectionParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "detections", "Detections",
      {
          boolean<&P::enabled>("Use detections",
                               "Boxes of people from the model or the files that the project names; without "
                               "either nothing is done."),
          real<&P::min_score>("Minimum score", "", 0.05, 1, "Boxes with a lower score are left out."),
          real<&P::shown_score>("Minimum score shown", "", 0.05, 1,
                                "Boxes with a lower score are drawn dimmed in the views; fusion.min_score "
                                "decides which are evidence.",
                                expert),
          choice<&P::family>(
              "Model family", {"auto", "rtmdet", "yolox", "nanodet", "detr", "rf-detr", "d-fine", "rtmo"},
              "How the model's outputs are read; auto decides by their number, names and shapes.", expert),
          choice<&P::engine>(
              "Engine", {"auto", "onnxruntime", "opencv"},
              "Engine of the model: auto uses ONNX Runtime where it is found, which is faster, else OpenCV.",
              expert),
          integer<&P::long_side_px>("Long side", "px", 128, 2048,
                                    "Long side of the model's input, a multiple of 32; larger finds smaller "
                                    "people and takes longer. A model of fixed size keeps its own.",
                                    expert),
          integer<&P::every>(
              "Interval", "sets", 1, 100,
              "Interval between the frame sets that the model examines; those between are unknown."),
          real<&P::overlap>("Maximum overlap", "", 0.1, 1,
                            "Of two of the model's boxes that overlap more (intersection over union) the "
                            "weaker one is suppressed.",
                            expert),
      });
  return table;
}

}  // namespace vantage
