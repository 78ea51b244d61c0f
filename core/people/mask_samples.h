// A mask as a coarse grid of bits: the samples that the search for people reads, and where they are
// undecided.
//
// Sample (x, y) of the grid is the indicator's pixel (step_x x + step_x / 2, step_y y + step_y / 2), with
// step_y = 2 step_x: people are taller than wide, and every second row tells as much about them. A grid is
// some 5 KB, its mask a megabyte, so that a device samples before anything is copied. Bits, so CPU and CUDA
// agree exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/threads.h"
#include "core/geometry/projection.h"
#include "core/image/backend/registry.h"
#include "core/image/image_view.h"
#include "core/image/picture.h"

namespace vantage {

struct SampleGrid {
  static constexpr int kWidth_px = 320;  // about this wide
  int step_x = 1, step_y = 1;
  int width = 0, height = 0;  // samples; 0: no picture
  int words = 0;              // of 64 samples, a row

  // For a mask of that size; without pixels an empty grid.
  static SampleGrid of(int mask_width, int mask_height);
  size_t word_count() const { return static_cast<size_t>(words) * static_cast<size_t>(height); }
  bool operator==(const SampleGrid&) const = default;
};

// A pixel of the indicator is in the mask at one half and above; from a quarter up to one half it is
// undecided, and counts neither for nor against a person. Plain functions, also for devices.
VANTAGE_HD constexpr bool in_mask(uint8_t level) {
  return level >= 128;
}
VANTAGE_HD constexpr bool is_undecided(uint8_t level) {
  return level >= 64 && level < 128;
}

struct MaskSamples {
  SampleGrid grid;
  // Row by row; bit x % 64 of word x / 64: the pixel is in the mask, or undecided. Bits beyond the width are
  // 0.
  std::vector<uint64_t> bits, undecided;
};

// Samples of an indicator in host memory; without data: no picture of this frame.
MaskSamples sample_mask(const ImageView<const uint8_t>& indicator);

class MaskSampler {
 public:
  static constexpr std::string_view kAlgorithm = "mask samples";
  struct Arguments {};
  virtual ~MaskSampler() = default;
  // One indicator (u8) a camera, where the device is; an empty image: no picture. `frame` labels the spans.
  // Errors: those of the device.
  virtual Result<Deferred<std::vector<MaskSamples>>> sample(std::span<const Image> indicators,
                                                            int64_t frame) = 0;
};

}  // namespace vantage
