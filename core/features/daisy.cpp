#include "core/features/daisy.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vantage {
namespace {

DaisyBlur gaussian(double sigma) {
  DaisyBlur blur;
  blur.radius = std::clamp(static_cast<int>(std::ceil(3 * sigma)), 1, DaisyBlur::kMaxDaisyRadius);
  double weights[DaisyBlur::kMaxDaisyRadius + 1], sum = 0;
  for (int i = 0; i <= blur.radius; ++i) {
    weights[i] = std::exp(-0.5 * i * i / (sigma * sigma));
    sum += i == 0 ? weights[i] : 2 * weights[i];
  }
  for (int i = 0; i <= blur.radius; ++i) blur.weight[i] = static_cast<float>(weights[i] / sum);
  return blur;
}

}  // namespace

DaisyPlan DaisyPlan::make(const DaisyParameters& parameters) {
  DaisyPlan plan;
  plan.smooth = gaussian(0.5);
  plan.levels = parameters.rings;
  double before = 0;
  for (int q = 0; q < plan.levels; ++q) {
    const double sigma = parameters.radius_px * (q + 1) / (2.0 * parameters.rings);
    plan.level[q] = gaussian(std::sqrt(sigma * sigma - before * before));
    before = sigma;
  }
  for (int k = 0; k < kDaisyBins; ++k) {
    plan.cosine[k] = static_cast<float>(std::cos(2 * std::numbers::pi * k / kDaisyBins));
    plan.sine[k] = static_cast<float>(std::sin(2 * std::numbers::pi * k / kDaisyBins));
  }
  plan.flat = static_cast<float>(parameters.flat);
  return plan;
}

template <>
const ParameterTable& parameter_table<DaisyParameters>() {
  using P = DaisyParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "daisy", "Descriptor",
      {
          real<&P::radius_px>("Radius", "px", 2, 30, "Radius of the outermost ring of the DAISY descriptor."),
          integer<&P::rings>("Rings", "", 1, kMaxDaisyRings, "Rings of histograms around a pixel.", expert),
          integer<&P::points>("Points", "", 1, kMaxDaisyPoints, "Histograms on a ring.", expert),
          real<&P::flat>("Flatness", "", 0.01, 20,
                         "Gradient, in grey levels a pixel, below which a histogram counts less.", expert),
      });
  return table;
}

}  // namespace vantage
