// Earlier frames of live cameras: pictures from the past that is kept, or from the recording that is being
// made, people and tracks as the live analysis found them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/project/project.h"
#include "core/video/frame_source.h"

namespace vantage {

class LivePlayback {
 public:
  static constexpr size_t kMaxKept_bytes = 64 << 20;  // of results without pictures; the oldest go first

  // The live analysis made that of its set.
  void keep(const FrameResult& result);
  // What was kept of the sets from that one on, in order: people and what belongs to them, and which picture
  // was there. Without pictures, masks, maps and volumes.
  std::vector<FrameResultRef> since(int64_t frame) const;
  // The frame with its pictures, a preview. `project` is the past's or the recording's. Errors: those of
  // FrameSource; end_of_stream where it has not been written yet.
  Result<FrameResultRef> frame(int64_t frame, const Project& project);
  void close() { sources_.clear(); }  // the pictures, until they are wanted again

 private:
  struct Kept {
    FrameResultRef result;
    size_t bytes = 0;
  };
  std::map<int64_t, Kept> kept_;  // by set
  size_t kept_bytes_ = 0;
  std::map<std::filesystem::path, std::unique_ptr<FrameSource>> sources_;  // by project; that were examined
};

}  // namespace vantage
