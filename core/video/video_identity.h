// The identity of a video when its file was moved or renamed.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace vantage {

struct VideoIdentity {
  int64_t bytes = 0;      // of the file, or of all images; 0: of a recording that may still grow
  uint64_t checksum = 0;  // VideoSource::content_hash(); 0: not known
  bool known() const { return checksum != 0; }
  bool operator==(const VideoIdentity&) const = default;
};

// The identity of what open_video() takes, live streams apart. Decodes nothing: it reads the size and 64 KiB
// at 16 positions, the first of them the file's beginning with its first frames.
Result<VideoIdentity> identify_video(const std::string& path);

}  // namespace vantage
