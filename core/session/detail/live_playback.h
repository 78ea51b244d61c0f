// Earlier frames of live cameras, from the recording that is being made of them: pictures from the disk,
// people as the live analysis found them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "core/pipeline/frame_result.h"
#include "core/run/recorder.h"

namespace vantage {

class LivePlayback {
 public:
  static constexpr size_t kMaxKept_bytes = 64 << 20;  // of people; the oldest go first

  // The live analysis made that of its set.
  void keep(const FrameResult& result);
  // The frame with its pictures, a preview. `project` is the recording's. Errors: those of FrameSource;
  // end_of_stream where it has not been written yet.
  Result<FrameResultRef> frame(int64_t frame, const Project& project);

 private:
  struct Kept {
    FrameArtifacts people;  // and tracks, nothing else
    size_t bytes = 0;
  };
  std::map<int64_t, Kept> kept_;  // by set
  size_t kept_bytes_ = 0;
  std::unique_ptr<FrameSource> source_;  // once something was looked at
};

}  // namespace vantage
