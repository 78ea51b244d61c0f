// The foreground method `knn`: OpenCV's BackgroundSubtractorKNN (Z. Zivkovic, F. van der Heijden, "Efficient
// adaptive density estimation per image pixel for the task of background subtraction", 2006), the peer that
// users know, behind the contract of ForegroundModel. It is built where CMake finds OpenCV's video module.
//
// A pixel is foreground where fewer than two of the samples kept of it lie within `distance` in B, G and R; a
// pixel that OpenCV calls a shadow is not. Votes are 0 or 1. The samples OpenCV keeps cannot be read or set,
// so the state cannot be saved.
#pragma once

#include "core/base/parameters.h"

namespace vantage {

class BackendRegistry;

struct KnnParameters {
  double distance = 20;
  int history_frames = 500;
  bool detect_shadows = true;
  double learning_rate =
      0.00001;  // after the scene was learnt; 0 would not freeze OpenCV's model but divide by 0
};
template <>
const ParameterTable& parameter_table<KnnParameters>();

void register_knn_cpu(BackendRegistry& registry);

}  // namespace vantage
