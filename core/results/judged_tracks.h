// Tracks as they are compared with ground truth: of a file, or of a folder of results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

#include "core/base/result.h"
#include "core/metrics/tracking_metrics.h"

namespace vantage {

struct JudgedTracks {
  std::vector<TrackRow> rows;      // frames count from 1
  bool counted_from_zero = false;  // the file did, as its frame 0 says; the rows count from 1 all the same
  // Frames of results in which too few cameras had a picture. No one could be found there, and no one was
  // missed: they are left out on both sides.
  std::set<int64_t> unknown_frames;
};

// A file in MOTChallenge's columns; or the tracks of a folder of results, with the repairs where there are
// some. A file with a frame 0 counts from 0, which is logged. Errors: those of reading, bad_data.
Result<JudgedTracks> read_judged_tracks(const std::filesystem::path& given);

}  // namespace vantage
