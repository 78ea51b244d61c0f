// The pictures of live cameras that are on the disk, for those who ask on other threads than the run's: the
// past, and what is being recorded.
#pragma once

#include <mutex>

#include "core/pipeline/pipeline.h"
#include "core/run/past.h"
#include "core/run/recorder.h"

namespace vantage {

class KeptPictures {
 public:
  // The run's side, before either goes. Null: nothing is kept, nothing is recorded.
  void set(const Past* past, const Recorder* recorder);
  // The recording that has the whole span. From any thread. not_found: they are not kept, no longer, or not
  // yet.
  Result<Project> recording(FrameRange span) const;

 private:
  mutable std::mutex mutex_;
  const Past* past_ = nullptr;          // guarded by mutex_
  const Recorder* recorder_ = nullptr;  // likewise
};

}  // namespace vantage
