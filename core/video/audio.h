// The sound of a video file, for finding out how recordings lie in time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop_token.h"

namespace vantage {

struct Sound {
  int sample_rate = 0;         // samples/s
  std::vector<float> samples;  // all channels together, -1 to 1; sample 0 belongs to the video's first frame
};

// The first `max_seconds` of the file's first sound track at about sample_rate. Nothing when the file has
// none, or is an image sequence.
Result<std::optional<Sound>> read_sound(const std::string& path, int sample_rate, double max_seconds,
                                        const StopSource& stop);

}  // namespace vantage
