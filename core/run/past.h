// The last minutes of live cameras, always kept to look back at: a recording (core/run/recorder.h) of which
// the oldest parts are dropped beyond recording.past_min and recording.past_gb. It lies in a folder of its
// own, which only its user may read and which goes with it.
//
// Folders that were left behind by programs that were killed are removed by anyone who starts another one.
#pragma once

#include <filesystem>
#include <memory>

#include "core/live/recording_parameters.h"
#include "core/run/recorder.h"

namespace vantage {

// $XDG_CACHE_HOME/vantage/past, else ~/.cache/vantage/past.
std::filesystem::path past_folder();

class Past {
 public:
  // In a new folder in `folder`. The limits are the project's. Errors: io.
  static Result<std::unique_ptr<Past>> start(const Project& project, LiveFrameSource& cameras,
                                             const std::filesystem::path& folder = past_folder());
  // The disk has the space that is to stay free (recording.reserve_gb).
  static bool has_space(const Project& project, const std::filesystem::path& folder = past_folder());
  ~Past();  // the cameras must still be there
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

}  // namespace vantage
