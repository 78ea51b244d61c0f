// CLEAR MOT, frame by frame (its conventions: core/metrics/tracking_metrics.h).
#pragma once

#include <vector>

#include "core/metrics/detail/track_sequence.h"

namespace vantage::metrics_detail {

class ClearCount {
 public:
  struct Match {
    int truth, given;  // rows of the frame
  };

  // `sequence` and `places` outlive it; `places` becomes complete with finish().
  ClearCount(const Sequence& sequence, double min_similarity, PlaceMetrics* places);

  // The next frame of the sequence; who is matched in it.
  std::vector<Match> add(const Frame& frame);
  const std::vector<TrackSwitch>& switches() const { return m_.all_switches; }  // so far
  ClearMetrics finish() &&;

 private:
  // The state that CLEAR keeps of one true identity.
  struct TrueTrack {
    int last_match = -1;      // given identity of the last match ever
    int previous_frame = -1;  // given identity matched in the frame before, -1: none
    int64_t matched = 0, starts = 0;
  };
  std::vector<Match> matched(const Frame& frame) const;
  void follow(const Frame& frame, const std::vector<Match>& matches);

  const Sequence& sequence_;
  const double min_similarity_;
  PlaceMetrics* const places_;
  std::vector<TrueTrack> tracks_;
  ClearMetrics m_;
  double similarity_sum_ = 0, modp_sum_ = 0;
  int64_t frames_with_match_ = 0;
};

}  // namespace vantage::metrics_detail
