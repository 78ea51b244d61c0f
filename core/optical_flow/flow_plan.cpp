#include "core/optical_flow/flow_plan.h"

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

constexpr int kPadding = 16;  // widest vector, in floats

// Mirrored without repeating the edge: ..., 2, 1, 0, 1, 2, ...
int mirror(int i, int size) {
  if (size == 1) return 0;
  const int period = 2 * (size - 1);
  i = ((i % period) + period) % period;
  return i < size ? i : period - i;
}

// Half to even, the current rounding mode.
int round_to_int(double value) {
  return static_cast<int>(std::lrint(value));
}

ResampleAxis make_axis(int in, int out, int taps) {
  ResampleAxis axis{in, out, taps, (out + kPadding - 1) / kPadding * kPadding, {}, {}};
  axis.index.assign(static_cast<size_t>(taps) * static_cast<size_t>(axis.pitch), 0);
  axis.weight.assign(axis.index.size(), 0.0f);
  return axis;
}

void set_tap(ResampleAxis& axis, int tap, int i, int index, double weight) {
  const size_t at = static_cast<size_t>(tap) * static_cast<size_t>(axis.pitch) + static_cast<size_t>(i);
  axis.index[at] = index;
  axis.weight[at] = static_cast<float>(weight);
}

struct Position {
  int index;
  double fraction;
};
// The position of output pixel i's centre between two input pixels' centres; clamped to the outermost
// centres.
Position bilinear_position(int i, int in, int out) {
  const double x = (i + 0.5) * (static_cast<double>(in) / out) - 0.5;
  const int low = static_cast<int>(std::floor(x));
  if (low < 0) return {0, 0.0};
  if (low >= in - 1) return {in - 1, 0.0};
  return {low, x - low};
}

ResampleAxis bilinear_axis(int in, int out) {
  ResampleAxis axis = make_axis(in, out, 2);
  for (int i = 0; i < out; ++i) {
    const Position at = bilinear_position(i, in, out);
    set_tap(axis, 0, i, at.index, 1 - at.fraction);
    set_tap(axis, 1, i, std::min(at.index + 1, in - 1), at.fraction);
  }
  return axis;
}

std::vector<double> blur_kernel(double scale) {
  const double sigma = (1 / scale - 1) / 2;
  const int size = std::max(round_to_int(sigma * 5) | 1, 3);
  if (sigma <= 0) return {0.25, 0.5, 0.25};
  std::vector<double> kernel(static_cast<size_t>(size));
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    const double x = i - (size - 1) / 2;
    sum += kernel[i] = std::exp(-x * x / (2 * sigma * sigma));
  }
  for (double& k : kernel) k /= sum;
  return kernel;
}

// Blur and bilinear sampling as one filter: only what the level needs is ever blurred.
ResampleAxis blurred_axis(int in, int out, double scale) {
  const std::vector<double> kernel = blur_kernel(scale);
  const int size = static_cast<int>(kernel.size()), half = size / 2;
  ResampleAxis axis = make_axis(in, out, in == out ? size : size + 1);
  for (int i = 0; i < out; ++i) {
    const Position at = bilinear_position(i, in, out);
    for (int tap = 0; tap < axis.taps; ++tap) {
      double weight = tap < size ? (1 - at.fraction) * kernel[tap] : 0;
      if (tap > 0) weight += at.fraction * kernel[tap - 1];
      set_tap(axis, tap, i, mirror(at.index - half + tap, in), weight);
    }
  }
  return axis;
}

// Mean over the input pixels that an output pixel covers, each by its covered share.
ResampleAxis area_axis(int in, int out) {
  const double ratio = static_cast<double>(in) / out;
  ResampleAxis axis = make_axis(in, out, static_cast<int>(std::ceil(ratio)) + 1);
  for (int i = 0; i < out; ++i) {
    const double from = i * ratio, to = (i + 1) * ratio;
    const int first = static_cast<int>(std::floor(from));
    for (int tap = 0; tap < axis.taps; ++tap) {
      const double share = std::min<double>(first + tap + 1, to) - std::max<double>(first + tap, from);
      set_tap(axis, tap, i, std::min(first + tap, in - 1), std::max(share, 0.0) / ratio);
    }
  }
  return axis;
}

PolynomialWeights polynomial_weights(int radius, double sigma) {
  PolynomialWeights weights;
  weights.radius = std::clamp(radius, 1, PolynomialWeights::kMaxRadius);
  double g[PolynomialWeights::kMaxRadius + 1], sum = 0;
  for (int x = 0; x <= weights.radius; ++x) {
    g[x] = std::exp(-x * x / (2 * sigma * sigma));
    sum += x == 0 ? g[x] : 2 * g[x];
  }
  // Sums of the normalised weight times 1, x^2 and x^4 along one axis. The metric of {1, x, y, x^2, y^2, xy}
  // is then diagonal but for the block of {1, x^2, y^2}: [1 a a; a b c; a c b] with c = a^2.
  double a = 0, b = 0;
  for (int x = 0; x <= weights.radius; ++x) {
    const double value = g[x] / sum;
    weights.g[x] = static_cast<float>(value);
    weights.xg[x] = static_cast<float>(x * value);
    weights.xxg[x] = static_cast<float>(x * x * value);
    a += 2 * x * x * value;
    b += 2.0 * x * x * x * x * value;
  }
  // The block's inverse, for c = a^2: -a/(b - a^2) off its first entry, 1/(b - a^2) on the rest of the
  // diagonal, 0 between x^2 and y^2.
  weights.inverse_11 = static_cast<float>(1 / a);
  weights.inverse_03 = static_cast<float>(-a / (b - a * a));
  weights.inverse_33 = static_cast<float>(1 / (b - a * a));
  weights.inverse_55 = static_cast<float>(1 / (a * a));
  return weights;
}

WindowWeights window_weights(int window, bool gaussian) {
  WindowWeights weights;
  weights.radius = std::clamp(window / 2, 1, WindowWeights::kMaxRadius);
  weights.uniform = !gaussian;
  const double sigma = 0.3 * weights.radius;
  double values[WindowWeights::kMaxRadius + 1], sum = 0;
  for (int i = 0; i <= weights.radius; ++i) {
    values[i] = gaussian ? std::exp(-i * i / (2 * sigma * sigma)) : 1.0;
    sum += i == 0 ? values[i] : 2 * values[i];
  }
  for (int i = 0; i <= weights.radius; ++i) weights.weight[i] = static_cast<float>(values[i] / sum);
  return weights;
}

}  // namespace

float FlowPlan::border_weight(int distance) {
  static constexpr float kRamp[kBorder] = {0.14f, 0.14f, 0.4472f, 0.4472f, 0.4472f};
  return distance < kBorder ? kRamp[distance] : 1.0f;
}

float FlowPlan::axis_weight(int i, int size) {
  return border_weight(i) * border_weight(size - 1 - i);
}

FlowPlan FlowPlan::make(int width, int height, const OpticalFlowParameters& parameters) {
  FlowPlan plan;
  plan.width = width, plan.height = height;
  plan.iterations = parameters.iterations;
  plan.pyramid_scale = parameters.pyramid_scale;
  plan.polynomial = polynomial_weights(parameters.poly_radius_px, parameters.poly_sigma_px);
  plan.window = window_weights(parameters.window_px, parameters.gaussian);
  double scale = 1;
  for (int k = 0; k <= parameters.levels; ++k, scale *= parameters.pyramid_scale) {
    if (k > 0 && (width * scale < kMinimumSide || height * scale < kMinimumSide)) break;
    FlowLevel level;
    level.scale = scale;
    level.width = k == 0 ? width : round_to_int(width * scale);
    level.height = k == 0 ? height : round_to_int(height * scale);
    level.image_x = blurred_axis(width, level.width, scale);
    level.image_y = blurred_axis(height, level.height, scale);
    plan.levels.push_back(std::move(level));
  }
  for (size_t k = 0; k + 1 < plan.levels.size(); ++k) {
    plan.levels[k].coarse_x = bilinear_axis(plan.levels[k + 1].width, plan.levels[k].width);
    plan.levels[k].coarse_y = bilinear_axis(plan.levels[k + 1].height, plan.levels[k].height);
  }
  plan.initial_x = area_axis(width, plan.levels.back().width);
  plan.initial_y = area_axis(height, plan.levels.back().height);
  return plan;
}

}  // namespace vantage
