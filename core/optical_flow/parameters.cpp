#include "core/optical_flow/flow_plan.h"
#include "core/optical_flow/optical_flow.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<OpticalFlowParameters>() {
  using P = OpticalFlowParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "flow", "Optical flow",
      {integer<&P::levels>({.name = "levels",
                            .display_name = "Pyramid levels",
                            .unit = "",
                            .help = "Reductions besides the full size; levels below 32 px are left out.",
                            .minimum = 0,
                            .maximum = 10}),
       real<&P::pyramid_scale>({.name = "pyramid_scale",
                                .display_name = "Pyramid scale",
                                .unit = "",
                                .help = "Size of a level relative to the next finer one.",
                                .minimum = 0.25,
                                .maximum = 0.95,
                                .level = ParameterLevel::expert}),
       integer<&P::window>(
           {.name = "window",
            .display_name = "Window",
            .unit = "px",
            .help = "Side of the window in which the motion counts as one: larger is smoother.",
            .minimum = 3,
            .maximum = 2 * WindowWeights::kMaxRadius + 1}),
       integer<&P::iterations>({.name = "iterations",
                                .display_name = "Iterations",
                                .unit = "",
                                .help = "Refinements at every level.",
                                .minimum = 1,
                                .maximum = 50}),
       integer<&P::poly_n>({.name = "poly_n",
                            .display_name = "Expansion radius",
                            .unit = "px",
                            .help = "Neighbourhood fitted by a polynomial, to each side of a pixel.",
                            .minimum = 2,
                            .maximum = PolynomialWeights::kMaxRadius,
                            .level = ParameterLevel::expert}),
       real<&P::poly_sigma>({.name = "poly_sigma",
                             .display_name = "Expansion sigma",
                             .unit = "px",
                             .help = "Width of the Gaussian weight of that fit: 1.1 goes with 5, 1.5 with 7.",
                             .minimum = 0.5,
                             .maximum = 5,
                             .level = ParameterLevel::expert}),
       boolean<&P::gaussian>({.name = "gaussian",
                              .display_name = "Gaussian window",
                              .unit = "",
                              .help = "Weigh the window's middle more: sharper than a box, slower.",
                              .minimum = 0,
                              .maximum = 1,
                              .level = ParameterLevel::expert})});
  return table;
}

}  // namespace vantage
