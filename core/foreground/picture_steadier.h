// Device work that brings a picture back to rest: its luma reduced, on the host, and the picture moved. CPU
// and CUDA agree exactly.
#pragma once

#include <memory>
#include <string_view>

#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

// Pictures are in the device's memory. Errors: those of the device.
class PictureSteadier {
 public:
  static constexpr std::string_view kAlgorithm = "picture steadier";
  struct Arguments {
    int camera = 0;
  };
  virtual ~PictureSteadier() = default;
  // u8, in host memory: reduced_mean() of core/image/picture.h. Waits for the device.
  virtual Result<Image> reduced_luma(const Picture& picture, int factor, int64_t frame) = 0;
  virtual Result<Picture> shifted(const Picture& picture, const PictureShift& shift, int64_t frame) = 0;
};

}  // namespace vantage
