// Records live cameras while they are analysed: each stream as it comes, in segments, with the sets that the
// analysis made of them, as an ordinary project. Frame N of that project is set N. It can be opened while it
// is recorded, and after the program was killed; then it ends with what was flushed last, kFlush_s before.
//
// Beside NAME.vantage lies NAME.recording/ with CAMERA.segments and CAMERA/ (core/video/segment_index.h). One
// thread writes; where the disk cannot keep up, packets are left out, counted, and the camera goes on in a
// new segment. A disk that is full, or fuller than recording.reserve_gb allows, ends the recording; the
// analysis takes no notice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/live/live_recording.h"
#include "core/project/project.h"

namespace vantage {

struct RecordingState {
  bool recording = false;
  std::string problem;                        // why it ended by itself; empty: it did not
  int64_t bytes = 0;                          // on the disk, all cameras together
  int64_t first_frame = -1, last_frame = -1;  // that can be read; -1: none yet
  double seconds = 0;                         // from the one to the other
  int64_t lost_packets = 0;                   // the disk was too slow for them
};

class Recorder {
 public:
  static constexpr double kFlush_s = 0.5;

  // `project` is what the cameras are analysed with, `path` the project to be written: neither it nor its
  // folder may be there. The recording's parameters are the project's. Errors: invalid_argument, io.
  static Result<std::unique_ptr<Recorder>> start(const Project& project, const std::filesystem::path& path,
                                                 LiveRecording& cameras);
  // finish(). The cameras must still be there.
  virtual ~Recorder() = default;

  // As it was saved: with the segments in place of the addresses.
  virtual const Project& project() const = 0;
  virtual RecordingState state() const = 0;
  // Ends the recording and completes its files. Idempotent; the error is why it had ended before.
  virtual Status finish() = 0;
};

}  // namespace vantage
