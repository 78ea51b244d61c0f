// Facts about the FFmpeg libraries found at run time; for `doctor`.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vantage {

// {"libavcodec", "59.37.100"}, ...
std::vector<std::pair<std::string, std::string>> ffmpeg_versions();

// The codecs, of those that recordings usually come in, with a software decoder here, as FFmpeg names them.
std::vector<std::string> software_decoders();

}  // namespace vantage
