// Which frames of a recording have been analysed, with which parameters, and how many people were counted:
// what the timeline's strips show. A frame is known by the versions of the chain's stages (pipeline.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/results/results_reader.h"
#include "core/session/session.h"

namespace vantage {

class AnalysedFrames {
 public:
  void clear() { frames_.clear(); }

  // Adds a frame that this session analysed. True where it is new; previews and results without one of the
  // present stages are not. `continued`: on the CPU, after the device failed.
  bool note(const FrameResult& result, const StageVersions& present, bool continued);
  // Adds a frame that is on disk with the stage, unless this session has analysed it itself.
  void add_stored(const StoredFrame& frame, std::string_view last_stage);

  // Frames before `first_changed` of the versions `before` get those of `now`.
  void restate(const StageVersions& before, const StageVersions& now, int64_t first_changed);

  // One entry a frame, for `count` frames; current where the versions are those of one of `present`, of all
  // its stages.
  std::vector<FrameSummary> summary(int64_t count, std::span<const StageVersions> present) const;

 private:
  struct Analysed {
    std::shared_ptr<const StageVersions> versions;  // null: not yet
    int16_t people = -1;
    bool continued = false;
  };
  Analysed& at(int64_t frame);

  std::vector<Analysed> frames_;
  std::shared_ptr<const StageVersions> last_;  // shared by the frames of one run
};

}  // namespace vantage
