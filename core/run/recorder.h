// A recording of live cameras as an ordinary project: each stream as it comes, in segments, with the sets
// that the analysis made of them. Frame N of that project is set N. It can be opened while it is recorded,
// and after the program was killed; then it ends with what was flushed last, RecordingWriter::kFlush_s
// before.
//
// Next to NAME.vantage lies NAME.recording/ with CAMERA.segments and CAMERA/, which a RecordingWriter writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/live/recording_writer.h"
#include "core/project/project.h"

namespace vantage {

class LiveFrameSource;

// NAME-20261127-213000.vantage next to NAME.vantage, by this machine's time; with -2 and so on where that is
// there.
std::filesystem::path recording_path(const std::filesystem::path& project);

struct RecorderOptions {
  // First set of what is kept of the cameras (LiveFrameSource::keep_packets); as LiveRelay::add() has it.
  int64_t first_set = INT64_MAX;
  std::string what = "The recording";  // in the log, where it stops by itself
};

class Recorder {
 public:
  // `project` is what the cameras are analysed with, `path` the project to be written: neither it nor its
  // folder may be there. The recording's parameters are the project's. Errors: invalid_argument, io.
  static Result<std::unique_ptr<Recorder>> start(const Project& project, const std::filesystem::path& path,
                                                 LiveFrameSource& cameras,
                                                 const RecorderOptions& options = {});
  // finish(). The cameras must still be there.
  virtual ~Recorder() = default;

  // As it was saved: with the segments in place of the addresses.
  virtual const Project& project() const = 0;
  virtual RecordingState state() const = 0;
  virtual int64_t begun_with() const = 0;  // the first of the kept sets that it begins with; -1: none were
  virtual void set_limits(double keep_h, double keep_gb) = 0;  // as RecordingWriter::set_limits()
  // Ends the recording and completes its files. Idempotent; the error is why it had ended before.
  virtual Status finish() = 0;
};

}  // namespace vantage
