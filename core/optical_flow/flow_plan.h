// Everything about a flow estimate that depends only on the picture's size and the parameters: level sizes
// and all weights. Computed in double once, used by every single-precision implementation.
#pragma once

#include <cstdint>
#include <vector>

#include "core/optical_flow/optical_flow.h"

namespace vantage {

// One axis of a linear resampling: out[i] = sum over tap of weight(tap, i) * in[index(tap, i)]. Tables are
// tap-major with rows of `pitch` entries, padded with zero weights, so that vector code may run past `out`.
struct ResampleAxis {
  int in = 0, out = 0, taps = 0, pitch = 0;
  std::vector<int32_t> index;  // taps x pitch, always inside [0, in)
  std::vector<float> weight;   // taps x pitch
};

struct FlowLevel {
  int width = 0, height = 0;
  double scale = 1;                 // of the full size
  ResampleAxis image_x, image_y;    // full picture -> blurred and resampled level
  ResampleAxis coarse_x, coarse_y;  // flow of the next coarser level -> this one; empty at the coarsest
};

// The expansion is separable. With the sums m_pq = sum of g(x) x^p g(y) y^q f, the coefficients are
//   b = inverse_11 (m_10, m_01), A_xx = inverse_03 m_00 + inverse_33 m_20, A_yy = ..., 2 A_xy = inverse_55
//   m_11.
struct PolynomialWeights {
  static constexpr int kMaxRadius = 9;
  int radius = 0;
  float g[kMaxRadius + 1] = {};    // from the centre outwards
  float xg[kMaxRadius + 1] = {};   // x g(x)
  float xxg[kMaxRadius + 1] = {};  // x^2 g(x)
  float inverse_11 = 0, inverse_03 = 0, inverse_33 = 0, inverse_55 = 0;
};

struct WindowWeights {
  static constexpr int kMaxRadius = 20;
  int radius = 0;
  bool uniform = true;
  float weight[kMaxRadius + 1] = {};  // one axis, from the centre outwards, sum over both sides 1
};

struct FlowPlan {
  static constexpr int kMinimumSide = 32;
  static constexpr int kBorder = 5;
  static constexpr double kRegularisation = 1e-3;  // added to the determinant
  int width = 0, height = 0;
  int iterations = 0;
  double pyramid_scale = 0.5;
  std::vector<FlowLevel> levels;      // [0] is the full size
  ResampleAxis initial_x, initial_y;  // full-size flow -> coarsest level, by area
  PolynomialWeights polynomial;
  WindowWeights window;

  static FlowPlan make(int width, int height, const OpticalFlowParameters& parameters);
  // Weight of an equation `distance` px from the nearest border along one axis (0: the edge pixel): the ramp
  // that OpenCV uses.
  static float border_weight(int distance);
  // border_weight() of both sides of an axis of that size, at position i.
  static float axis_weight(int i, int size);
};

}  // namespace vantage
