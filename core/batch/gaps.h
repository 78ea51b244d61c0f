// What a span of a recording lacks: cameras without a picture, or with a damaged one, and frames that could
// not be analysed at all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/video/frame_set.h"

namespace vantage {

struct Gap {
  std::string camera;           // empty: the frames themselves are lacking
  int64_t first = 0, last = 0;  // frames, both included
  std::string problem;
  bool operator==(const Gap&) const = default;
};
// "cam2, frames 100 to 249: the video is missing"
std::string gap_text(const Gap& gap);

class GapWatch {
 public:
  // Cameras start and stop by hand: without a picture for less than this at the beginning or the end of the
  // recording is no gap.
  static constexpr double kEdge_s = 5;

  GapWatch(std::vector<std::string> cameras, int64_t recording_frames, double frame_rate)
      : cameras_(std::move(cameras)),
        recording_frames_(recording_frames),
        edge_frames_(static_cast<int64_t>(kEdge_s * frame_rate)),
        open_(cameras_.size(), -1) {}

  // Frames in order.
  void add(const FrameSet& frames);
  // The gaps by first frame.
  std::vector<Gap> take();

 private:
  bool at_edge(const Gap& gap) const;

  std::vector<std::string> cameras_;
  int64_t recording_frames_, edge_frames_;
  std::vector<Gap> gaps_;
  std::vector<int64_t> open_;  // by camera: which of them may go on; -1: none
};

}  // namespace vantage
