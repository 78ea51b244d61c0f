// A recording of live cameras as an ordinary project: each stream as it comes, in segments, with the sets
// that the analysis made of them. Frame N of that project is set N. It can be opened while it is recorded,
// and after the program was killed; then it ends with what was flushed last, RecordingWriter::kFlush_s
// before.
//
// Beside NAME.vantage lies NAME.recording/ with CAMERA.segments and CAMERA/, which a RecordingWriter writes.
#pragma once

#include <filesystem>
#include <memory>

#include "core/live/recording_writer.h"
#include "core/project/project.h"

namespace vantage {

class LiveFrameSource;

class Recorder {
 public:
  // `project` is what the cameras are analysed with, `path` the project to be written: neither it nor its
  // folder may be there. The recording's parameters are the project's. Errors: invalid_argument, io.
  static Result<std::unique_ptr<Recorder>> start(const Project& project, const std::filesystem::path& path,
                                                 LiveFrameSource& cameras);
  // finish(). The cameras must still be there.
  virtual ~Recorder() = default;

  // As it was saved: with the segments in place of the addresses.
  virtual const Project& project() const = 0;
  virtual RecordingState state() const = 0;
  // Ends the recording and completes its files. Idempotent; the error is why it had ended before.
  virtual Status finish() = 0;
};

}  // namespace vantage
