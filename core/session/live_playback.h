// What live cameras saw before, out of the recording that is being made of them: pictures from the disk,
// people as the live analysis found them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "core/pipeline/frame_result.h"
#include "core/recording/recorder.h"

namespace vantage {

class LivePlayback {
 public:
  static constexpr size_t kMostKept = 100'000;  // sets whose people are kept

  // The live analysis made that of its set.
  void keep(const FrameResult& result);
  // The frame with its pictures, a preview. `project` is the recording's. Errors: those of Recording;
  // end_of_stream where it has not been written yet.
  Result<FrameResultRef> frame(int64_t frame, const Project& project);

 private:
  std::map<int64_t, std::map<std::string, ArtifactRef, std::less<>>> kept_;
  std::unique_ptr<Recording> recording_;  // once something was looked at
};

}  // namespace vantage
