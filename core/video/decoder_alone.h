// FFmpeg's decoder by itself: frames of a file come out and are dropped, nothing is numbered, copied or
// checked. For benches: what a VideoSource adds to it.
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/video/video_source.h"

namespace vantage {

class DecoderAlone {
 public:
  // `hardware` as in VideoOpenOptions.
  static Result<std::unique_ptr<DecoderAlone>> open(const std::string& path,
                                                    std::shared_ptr<HardwareDecode> hardware);
  ~DecoderAlone();
  // Decodes the next frame; false at the end.
  Result<bool> next();

 private:
  struct Impl;
  explicit DecoderAlone(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace vantage
