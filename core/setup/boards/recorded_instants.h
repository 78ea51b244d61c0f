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
#include "core/base/threads.h"
#include "core/calibration/solve/clip_offsets.h"
#include "core/project/project.h"

namespace vantage {

struct RecordedInstants {
  std::filesystem::path file;                 // empty: they were not noted
  std::vector<std::vector<int64_t>> of_clip;  // by picture, rising; empty: the clips' pictures are in step
};

// Clips of one folder with such a file. Errors: io; bad_data on a damaged file, a clip that is not in it, and
// one that has another number of pictures than it says; those of opening the clips.
Result<RecordedInstants> recorded_instants(const std::vector<std::string>& clips, const StopSource& stop);
// Files of such names in the folder of a clip.
std::vector<std::filesystem::path> files_of_instants(const std::string& clip);

// Offsets that were solved with a board, applied as those of a project's recording.

// A clip that showed the board to a camera.
struct BoardClip {
  std::string camera;  // by the project's name
  std::string path;    // empty: the camera's own video
};

// Cameras whose clip is not their own video: its offset is the recording's only where both were started
// together with the other cameras' ones, in one run, which no file tells.
std::vector<std::string> cameras_with_other_clips(const Project& project,
                                                  const std::vector<BoardClip>& clips);

// ProjectCamera::offset_frames of a camera as it is, and as it becomes.
struct RecordingOffset {
  std::string camera;
  double before_frames = 0, now_frames = 0;
};

// The offsets of the clips' cameras but the first, in the project's order. What is known of drift and of lost
// frames stays: the cameras lie as found in the middle of `instants`. `timings`: by clip; `instants`: as
// BoardsSolution has them. Errors: those of opening the project's videos, which tell rates; not_found for a
// clip whose camera the project does not have; invalid_argument for live cameras, and where no clip is the
// first camera's, from which offsets count.
Result<std::vector<RecordingOffset>> recording_offsets(const Project& project,
                                                       const std::vector<BoardClip>& clips,
                                                       const std::vector<ClipTiming>& timings,
                                                       const std::vector<int64_t>& instants);
// Sets the offsets by name; they count as confirmed.
void take_offsets(const std::vector<RecordingOffset>& offsets, Project* project);

}  // namespace vantage
