// Where people walked: what the tracks of the frames seen so far say, for drawing trails behind them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/pipeline/frame_result.h"

namespace vantage {

struct Trail {
  int64_t id = 0;
  std::vector<Eigen::Vector2d> floor_m;  // oldest first
};

class TrailStore {
 public:
  // Takes a frame's tracks. Those of another version of the chain are forgotten; a preview is not taken.
  void add(const FrameResult& result);
  void clear();
  // The paths over the `frames` before and with `frame`, of people known in that time. A path has a gap where
  // more than `frames` / 2 frames are unknown: what lies before it is left out.
  std::vector<Trail> until(int64_t frame, int64_t frames) const;

 private:
  using Places = std::map<int64_t, Eigen::Vector2d>;  // by frame
  std::map<int64_t, Places> people_;                  // by track
  std::optional<uint64_t> version_;
};

}  // namespace vantage
