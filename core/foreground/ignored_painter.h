// Device work on the foreground of a camera with ignored regions (core/geometry/ignored_region.h): their
// pixels are undecided, whatever the method found there. CPU and CUDA agree exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/foreground/foreground.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

// The indicator there: that of undecided pixels by default, below the mask (core/people/mask_samples.h).
inline constexpr uint8_t kIgnoredLevel = 115;

class IgnoredPainter {
 public:
  static constexpr std::string_view kAlgorithm = "ignored regions";
  struct Arguments {
    int camera = 0;
    Image ignored;  // u8, host memory, the picture's size: not 0 where ignored. Uploaded once.
  };
  virtual ~IgnoredPainter() = default;
  // The images with kIgnoredLevel in the indicator and 0 in the mask where ignored, and the mask counted
  // again. `images` are unchanged. Errors: another size (invalid_argument), those of the device.
  virtual Result<ForegroundImages> paint(const ForegroundImages& images, int64_t frame) = 0;

 protected:
  static Status check_size(const ForegroundImages& images, const Image& ignored);
};

}  // namespace vantage
