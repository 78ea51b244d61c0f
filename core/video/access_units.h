// The compressed pictures of a video file as a camera would send them: in the file's order, each with the
// instant it shows, as a byte stream that can be joined at any key picture (H.264 and HEVC in Annex B form
// with their parameter sets; Motion JPEG and MPEG-4 as they are). Nothing is decoded or encoded.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"

namespace vantage {

struct AccessUnit {
  std::vector<uint8_t> bytes;
  int64_t number = -1;     // in the file's order, from 0
  int64_t capture_ns = 0;  // what it shows, from the first shown picture
  int64_t send_ns = 0;     // never before capture_ns, never falling: B-pictures wait for what they refer to
  bool key = false;
};

struct AccessUnitFacts {
  std::string codec;  // "h264", "hevc", "mjpeg" or "mpeg4"
  int width_px = 0, height_px = 0;
  double frame_rate = 0;
  int64_t count = 0;
  int64_t duration_ns = 0;  // count / frame_rate
};

class AccessUnitReader {
 public:
  // Reads over the whole file once. Errors: those of PacketReader; unsupported: another codec.
  static Result<std::unique_ptr<AccessUnitReader>> open(const std::string& path, const StopSource& stop);
  virtual ~AccessUnitReader() = default;
  virtual const AccessUnitFacts& facts() const = 0;
  // False at the end.
  virtual Result<bool> next(AccessUnit* unit) = 0;
  virtual Status rewind() = 0;
};

}  // namespace vantage
