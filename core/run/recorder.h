// A recording of live cameras as an ordinary project: each stream as sent, in segments, with the sets of the
// analysis. Frame N of that project is set N. It can be opened during the recording, and after the program
// was killed; then it ends with the last flush, at most RecordingWriter::kFlush_s before.
//
// Next to NAME.vantage is NAME.recording/ with CAMERA.segments and CAMERA/, written by a RecordingWriter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include "core/live/recording_writer.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/tracks/counting/rules.h"

namespace vantage {

class LiveFrameSource;

// NAME-20261127-213000.vantage next to NAME.vantage, in local time; with -2 and so on if that exists.
std::filesystem::path recording_path(const std::filesystem::path& project);

struct RecorderOptions {
  // First of the cameras' kept sets (LiveFrameSource::keep_packets); as for LiveRelay::add().
  int64_t first_set = INT64_MAX;
  std::string what = "The recording";  // subject of log messages
};

class Recorder {
 public:
  // `project`: that of the cameras' analysis. `path`: the project to be written; neither it nor its folder
  // may exist. The recording's parameters are the project's. Errors: invalid_argument, io.
  static Result<std::unique_ptr<Recorder>> start(const Project& project, const std::filesystem::path& path,
                                                 LiveFrameSource& cameras,
                                                 const RecorderOptions& options = {});
  // Calls finish(). The cameras must still exist.
  virtual ~Recorder() = default;

  // As saved: with the segments instead of the addresses.
  virtual const Project& project() const = 0;
  virtual RecordingState state() const = 0;
  virtual int64_t begun_with() const = 0;                      // its first kept set; -1: no kept sets
  virtual void set_limits(double keep_h, double keep_gb) = 0;  // as RecordingWriter::set_limits()
  // Ends the recording and completes its files. Idempotent; the error is why it had ended before.
  virtual Status finish() = 0;
};

// The last minutes of live cameras, always kept for review: a recording (core/run/recorder.h) whose oldest
// parts are dropped beyond recording.past_min and recording.past_gb. Its own folder is readable only by its
// user, and is removed with it.
//
// Folders left by killed programs are removed when another past starts.

// $XDG_CACHE_HOME/vantage/past, else ~/.cache/vantage/past.
std::filesystem::path past_folder();

class Past {
 public:
  // Starts in a new folder in `folder`. The limits are the project's. Errors: io.
  static Result<std::unique_ptr<Past>> start(const Project& project, LiveFrameSource& cameras,
                                             const std::filesystem::path& folder = past_folder());
  // True if the disk has more than the space to be kept free (recording.reserve_gb).
  static bool has_space(const Project& project, const std::filesystem::path& folder = past_folder());
  ~Past();  // the cameras must still exist
  Past(const Past&) = delete;
  Past& operator=(const Past&) = delete;

  const Project& project() const { return recorder_->project(); }  // of the segments
  RecordingState state() const { return recorder_->state(); }
  void set_limits(const RecordingParameters& limits);

 private:
  explicit Past(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path folder_;
  std::unique_ptr<Recorder> recorder_;
};

// The live cameras' pictures on the disk, for threads other than the run's: the past, and the recording in
// progress.

class KeptPictures {
 public:
  // Called by the run, before either is destroyed. Null: no past, no recording.
  void set(const Past* past, const Recorder* recorder);
  // The recording that has the complete span. Thread-safe. not_found: not kept, no longer, or not yet.
  Result<Project> recording(FrameRange span) const;

 private:
  mutable std::mutex mutex_;
  const Past* past_ = nullptr;          // guarded by mutex_
  const Recorder* recorder_ = nullptr;  // likewise
};

// Decides the duration of event recordings (recording.events): from the first event until none has lasted for
// after_s.

class EventTrigger {
 public:
  // `after`: frames.
  explicit EventTrigger(int64_t after) : after_(after) {}

  void set_after(int64_t after) { after_ = after; }
  // Adds events from RuleWatch, raised or over.
  void add(std::span<const FloorEvent> events);
  // True if events are to be recorded at that frame.
  bool wanted(int64_t frame) const { return !open_.empty() || frame <= until_; }
  int64_t raised_frame() const {
    return raised_frame_;
  }  // of the first event of the last add() that raised one

 private:
  using Key = std::tuple<std::string, int64_t, int64_t>;  // rule, person, first frame

  int64_t after_;
  std::set<Key> open_;
  int64_t until_ = -1, raised_frame_ = -1;
};

}  // namespace vantage
