// Which pictures of several clips were taken together, where the program that recorded them noted it and some
// clips lack pictures: the n-th picture of one is then not the n-th of another.
//
// caliscope's timestamps.csv next to the clips (older: frame_time_history.csv, frametimes.csv,
// frame_timestamps.csv): sync_index, cam_id (older: port) and frame_time (s), a line for each picture. The
// clips are cam_N or port_N.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop_token.h"

namespace vantage {

struct RecordedInstants {
  std::filesystem::path file;                 // empty: they were not noted
  std::vector<std::vector<int64_t>> of_clip;  // by picture, rising; empty: the clips' pictures are in step
};

// Clips of one folder with such a file. Errors: io; bad_data on a damaged file, a clip that is not in it, and
// one that has another number of pictures than it says; those of opening the clips.
Result<RecordedInstants> recorded_instants(const std::vector<std::string>& clips, const StopSource& stop);

}  // namespace vantage
