// Which frames of a recording have been analysed, with which parameters, and how many people were counted:
// what the timeline's strips show. A frame is known by the versions of the chain's last stages (pipeline.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/pipeline/frame_result.h"
#include "core/project/results_reader.h"
#include "core/session/session.h"

namespace vantage {

// Of the stages that no other stage needs. A height map counts only where one is made.
struct LastVersions {
  uint64_t chain = 0;       // of people and tracks, or where the chain ends without a calibration
  uint64_t height_map = 0;  // 0: none is made
  bool operator==(const LastVersions&) const = default;
};

class AnalysedFrames {
 public:
  void clear() { frames_.clear(); }

  // What this session analysed. True where it is news; previews and results that end before the stage are
  // not. `continued`: on the CPU, after the device failed.
  bool note(const FrameResult& result, std::string_view last_stage, bool continued);
  // What is on disk, wherever this session has not analysed the frame itself.
  void add_stored(const StoredResults& stored, std::string_view last_stage);

  // One entry a frame, for `count` frames; current where the versions are one of `present`.
  std::vector<FrameSummary> summary(int64_t count, std::span<const LastVersions> present) const;

 private:
  struct Analysed {
    LastVersions versions;  // chain 0: not yet
    int16_t people = -1;
    bool continued = false;
  };
  Analysed& at(int64_t frame);

  std::vector<Analysed> frames_;
};

}  // namespace vantage
