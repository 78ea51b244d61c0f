// The frame of each file of a folder, by its name: a number in the names is the frame or its time. All
// numbers in all names are compared, so that sizes, dates, hashes and camera numbers are not taken for
// frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

struct FrameNameOptions {
  // As the user stated it: "1", "2", ... the number of the names, from the left, that is the frame; "time"
  // the number is a time; "order" each file is the frame after the last. Empty: automatic.
  std::string rule;
  bool ask = true;        // false: of two possible numbers the last, as formerly
  bool pictures = false;  // every file is a frame, whatever its number; else a number is a frame of a video
  double frame_rate = 0;  // of the camera in frames/s, and its length; 0: not known
  int64_t frame_count = 0;
};

struct FrameNames {
  enum class By { number, time, order } by = By::number;
  std::vector<std::optional<int64_t>> frames;  // by name; as the names count, or from 0; nothing: left out
  std::vector<std::string> left_out;           // names that do not belong to the others
  double frame_rate = 0;  // where they are times at a rate that cameras have, in frames/s; else 0
  std::string said;       // "frames are the numbers 0 to 23 behind \"img_\""
};

// The frames of names without their folders, each different. Errors, a sentence without `where`:
// invalid_argument where two readings are possible, not_found where no number counts.
Result<FrameNames> frames_of_names(const std::vector<std::string>& names, const FrameNameOptions& options);

// True when a comes before b; the numbers in them are compared as numbers.
bool naturally_before(const std::string& a, const std::string& b);

// True of files that systems leave in folders: names that begin with a point, Thumbs.db, desktop.ini.
bool is_system_file(const std::string& name);

}  // namespace vantage
