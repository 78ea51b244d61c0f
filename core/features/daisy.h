// DAISY, dense: histograms of gradient orientation around every pixel, smoothed more towards the outside.
// Source: E. Tola, V. Lepetit, P. Fua, "DAISY: an efficient dense descriptor applied to wide-baseline
// stereo", TPAMI 2010; parameters R = 15, Q = 3, T = 8, H = 8 as published. The descriptor of a pixel is the
// histogram at the pixel (of the first level) and at T points on each of Q rings of radius R (q + 1) / Q (of
// level q), 1 + Q T histograms of H bins. They overlap so much that only the histograms of each pixel and
// level are stored; who compares descriptors (core/height_map/cost.h) reads them where the rings lie, turned
// into the direction wanted.
//
// Level q of a pixel: bin k holds max(0, gradient . (cos 2 pi k / H, sin 2 pi k / H)), the picture smoothed
// with sigma 0.5 px and differentiated centrally (grey levels a pixel, y downwards), convolved with a
// Gaussian of sigma R (q + 1) / (2 Q), each built on the one before. Gaussians reach to 3 sigma; the edge
// pixel is repeated outside. A histogram is divided by its length, or by `flat` if that is more (so that the
// noise of flat areas stays small: not in the source), and kept in 8 bits: 255 is 1. Every implementation
// gives the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/parameters.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

inline constexpr int kDaisyBins = 8;
inline constexpr int kMaxDaisyRings = 4;
inline constexpr int kMaxDaisyPoints = 16;

struct DaisyParameters {
  double radius_px = 15;
  int rings = 3;
  int points = 8;  // on a ring
  double flat = 0.5;
  bool operator==(const DaisyParameters&) const = default;
};
template <>
const ParameterTable& parameter_table<DaisyParameters>();

// Level q of pixel (x, y): the 8 bytes from element 8 x of row q * height + y.
struct DaisyField {
  int width = 0, height = 0, levels = 0;
  int64_t frame = -1;
  Image histograms;  // u8, width 8 * width, height levels * height
  explicit operator bool() const { return static_cast<bool>(histograms); }
};

class Daisy {
 public:
  static constexpr std::string_view kAlgorithm = "daisy";
  struct Arguments {
    int camera = 0;  // for the trace
  };
  virtual ~Daisy() = default;
  virtual void set_parameters(const DaisyParameters& parameters) = 0;
  // `plane` is 8-bit and lies in `buffer`, a picture's luma or a grey image. Errors: another memory than the
  // implementation's (invalid_argument), out_of_memory, device_lost.
  virtual Result<DaisyField> describe(const BufferRef& buffer, ImageView<const uint8_t> plane,
                                      int64_t frame) = 0;
};

// The weights of a Gaussian: its middle and one side.
struct DaisyBlur {
  static constexpr int kMaxDaisyRadius = 48;
  int radius = 0;
  float weight[kMaxDaisyRadius + 1] = {};
};

// Values computed once from the parameters.
struct DaisyPlan {
  DaisyBlur smooth;                 // of the picture
  DaisyBlur level[kMaxDaisyRings];  // from the level before
  int levels = 0;
  float cosine[kDaisyBins] = {}, sine[kDaisyBins] = {};
  float flat = 0;
  static DaisyPlan make(const DaisyParameters& parameters);
};

}  // namespace vantage
