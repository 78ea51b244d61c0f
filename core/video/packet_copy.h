// The packets of a stretch of a video file, copied without decoding them: an original next to what is made of
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/base/stop_token.h"

namespace vantage {

struct CopiedPackets {
  int64_t pictures = 0;       // packets of the video stream
  double first_s = 0;         // when the first of them is shown, from the file's first picture
  bool whole_stretch = true;  // false: it begins late, as the file holds no key picture before
};

// Writes a Matroska file with every picture shown from from_s to before to_s, from the key picture at or
// before the first of them on, and the sound with it. Times count from the file's first picture. Nothing is
// left where it fails. Errors: io, bad_data, unsupported (Matroska does not hold the codec, or it is no
// file), cancelled.
Result<CopiedPackets> copy_packets(const std::string& from, double from_s, double to_s,
                                   const std::filesystem::path& to, const StopSource& stop);

// When the recording began by its container, seconds since 1970: what cameras and phones write as
// creation_time. 0: it says nothing. Errors: io, bad_data.
Result<double> container_start_utc_s(const std::string& file);

}  // namespace vantage
