// Dense optical flow by polynomial expansion. Source: G. Farnebäck, "Two-frame motion estimation based on
// polynomial expansion", SCIA 2003, and his thesis, chapter 7; parameters and defaults from ADABTS D6.1,
// section 3.3.2 and table 5 ("Boxer").
//
// Around every pixel each picture is fitted by f(x) = x'Ax + b'x + c under a Gaussian weight; if the second
// is the first displaced by d, then A d = -(b2 - b1)/2, solved over a window, from coarse to fine. The result
// equals OpenCV's calcOpticalFlowFarneback with the same parameters; the conventions for that (borders,
// levels, weights): resources/docs/algorithms/optical-flow.md.
//
// Flow is in pixels from one picture to the next, one vector per pixel of the earlier picture:
// earlier(x, y) is found at later(x + dx, y + dy).
#pragma once

#include <string_view>

#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

struct OpticalFlowParameters {
  // Used by the chain's stage alone.
  bool enabled = false;
  bool foreground_only = false;
  bool confidence = true;
  bool start_from_last = true;

  int levels = 5;
  double pyramid_scale = 0.5;
  int window_px = 5;
  int iterations = 10;
  int poly_radius_px = 5;  // OpenCV's poly_n
  double poly_sigma_px = 1.1;
  bool gaussian = false;  // sigma 0.3 floor(window / 2)
};
template <>
const ParameterTable& parameter_table<OpticalFlowParameters>();

// A masked or unknown vector has both components equal to this, as in .flo files.
inline constexpr float kUnknownFlow = 1e10f;
inline bool is_known_flow(float component) {
  return component > -1e9f && component < 1e9f;
}

struct FlowField {
  int width = 0, height = 0;
  int64_t frame = -1;  // base frame of the later picture
  Image vectors;       // f32, 2 * width elements a row: dx, dy pairs
  Image confidence;    // u8, 255 = 1; only when asked for
  explicit operator bool() const { return static_cast<bool>(vectors); }
};

// One 8-bit plane to track: a picture's luma or a grey image. Holds a share of its memory.
struct FlowInput {
  BufferRef buffer;
  ImageView<const uint8_t> plane;
  FlowInput() = default;
  FlowInput(const Picture& picture) : buffer(picture.buffer()), plane(picture.plane(0)) {}
  FlowInput(const Image& gray) : buffer(gray.buffer()), plane(gray.view<uint8_t>()) {}
};

struct FlowRequest {
  // Also estimates the flow back and writes, with b the flow back at x + f and e = |f + b|,
  //   confidence = 2^(-e^2 / (0.01 (|f|^2 + |b|^2) + 0.5)):
  // 1/2 where N. Sundaram, T. Brox, K. Keutzer (ECCV 2010) call a pixel occluded; 0 where x + f leaves the
  // picture.
  bool confidence = false;
  // Starts from the flow of the step before instead of zero (OPTFLOW_USE_INITIAL_FLOW).
  bool start_from_last = false;
  Image mask = {};         // u8, of the earlier picture's size: where 0 the vector is unknown; empty: no mask
  FlowField initial = {};  // starts from this flow; unknown vectors count as zero; empty: none
};

// The state that a checkpoint keeps: handles only, the pictures are immutable.
struct FlowState {
  FlowInput last;
  FlowField last_flow;
};

// One camera's flow along a sequence. The expansion of a picture is computed once and used for the step to it
// and the step from it. Not thread-safe.
class OpticalFlow {
 public:
  static constexpr std::string_view kAlgorithm = "optical flow";
  struct Arguments {
    int camera = 0;
  };
  virtual ~OpticalFlow() = default;
  virtual void set_parameters(const OpticalFlowParameters& parameters) = 0;
  // The flow from the picture given before to this one; an empty field for the first picture. Errors: memory
  // other than the implementation's, another size than before (invalid_argument), out_of_memory, device_lost.
  virtual Result<FlowField> next(const FlowInput& picture, const FlowRequest& request, int64_t frame) = 0;
  // Forgets the last picture and flow.
  virtual void reset() = 0;
  virtual FlowState save() const = 0;
  virtual void restore(const FlowState& state) = 0;
};

}  // namespace vantage

namespace vantage::flow {

// Preconditions of every implementation of optical flow, whatever its device.

// Checks a step from `last` (empty for the first picture). invalid_argument: no picture, another size than
// the one before, a mask that is not 8-bit, a mask or initial flow of another size, anything in other memory
// than `place`.
Status check_step(const FlowInput& picture, const FlowInput& last, const FlowRequest& request,
                  MemoryPlace place, int camera);

}  // namespace vantage::flow
