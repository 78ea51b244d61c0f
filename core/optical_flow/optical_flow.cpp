#include "core/optical_flow/optical_flow.h"

#include <string>

#include "core/optical_flow/flow_plan.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<OpticalFlowParameters>() {
  using P = OpticalFlowParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "flow", "Optical flow",
      {
          boolean<&P::enabled>("Optical flow", "Estimate the motion of every pixel from frame to frame."),
          boolean<&P::foreground_only>(
              "Foreground only", "Leave vectors outside the foreground of the earlier picture unknown."),
          boolean<&P::confidence>(
              "Confidence",
              "Also estimate the flow back, which shows where the flow can be trusted: twice the time.",
              expert),
          boolean<&P::start_from_last>("Start from last",
                                       "Begin with the flow of the frame before instead of none.", expert),
          integer<&P::levels>("Pyramid levels", "", 0, 10,
                              "Reductions besides the full size; levels below 32 px are left out.", expert),
          real<&P::pyramid_scale>("Pyramid scale", "", 0.25, 0.95,
                                  "Size of a level relative to the next finer one.", expert),
          integer<&P::window_px>("Window", "px", 3, 2 * WindowWeights::kMaxRadius + 1,
                                 "Side of the window in which the motion counts as one: larger is smoother. "
                                 "An even number acts as the next odd one."),
          integer<&P::iterations>("Iterations", "", 1, 50, "Refinements at every level.", expert),
          integer<&P::poly_radius_px>(
              "Expansion radius", "px", 2, PolynomialWeights::kMaxRadius,
              "Neighbourhood fitted by a polynomial, to each side of a pixel (poly_n).", expert),
          real<&P::poly_sigma_px>("Expansion sigma", "px", 0.5, 5,
                                  "Width of the Gaussian weight of that fit: 1.1 goes with 5, 1.5 with 7.",
                                  expert),
          boolean<&P::gaussian>("Gaussian window",
                                "Weigh the window's middle more: sharper than a box, slower.", expert),
      });
  return table;
}

}  // namespace vantage

namespace vantage::flow {

Status check_step(const FlowInput& picture, const FlowInput& last, const FlowRequest& request,
                  MemoryPlace place, int camera) {
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorKind::invalid_argument, what, "optical flow, camera " + std::to_string(camera));
  };
  const std::string memory =
      place.kind == MemoryKind::host ? "host memory" : "the memory of cuda:" + std::to_string(place.device);
  const int width = picture.plane.width, height = picture.plane.height;
  if (!picture.buffer || picture.buffer->place() != place) return wrong("the picture is not in " + memory);
  if (last.buffer && (last.plane.width != width || last.plane.height != height))
    return wrong("the picture has another size than the one before");
  const Image& mask = request.mask;
  if (mask && (mask.type() != ImageType::u8 || mask.place() != place || mask.width() != width ||
               mask.height() != height))
    return wrong("the mask must be 8-bit, in " + memory + " and of the picture's size");
  const FlowField& initial = request.initial;
  if (initial && (initial.vectors.place() != place || initial.width != width || initial.height != height))
    return wrong("the initial flow must be in " + memory + " and of the picture's size");
  return {};
}

}  // namespace vantage::flow
