// Where people were in the last minutes of live cameras: what rules are held against while it goes on.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "core/session/recorded_tracks.h"

namespace vantage {

class LiveTracks {
 public:
  static constexpr double kWindow_s = 600;

  void add(const FrameResult& result, double frame_rate);
  TracksRef tracks() const;

 private:
  double frame_rate_ = 0;
  std::deque<int64_t> frames_, known_frames_;
  std::map<int64_t, std::deque<PathPoint>> paths_;  // by number
};

}  // namespace vantage
