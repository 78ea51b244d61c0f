// Which frames of a recording have been analysed, with which parameters, and how many people were counted:
// what the timeline's strips show. A frame is known by the version of the chain's last stage (pipeline.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/project/results_reader.h"
#include "core/session/session.h"

namespace vantage {

class AnalysedFrames {
 public:
  void clear() { frames_.clear(); }

  // What this session analysed. True where it is news; previews and results that end before the stage are
  // not.
  bool note(const FrameResult& result, std::string_view last_stage);
  // What is on disk, wherever this session has not analysed the frame itself.
  void add_stored(const StoredResults& stored, std::string_view last_stage);

  // One entry a frame, for `count` frames; current where the version is `present`.
  std::vector<FrameSummary> summary(int64_t count, uint64_t present) const;

 private:
  struct Analysed {
    uint64_t version = 0;  // 0: not yet
    int16_t people = -1;
  };
  Analysed& at(int64_t frame);

  std::vector<Analysed> frames_;
};

}  // namespace vantage
