// All pairs of a recording compared with the alignment of the cameras that is tried on them.
//
// A pair's table counts in blocks of its first camera: where they lie in base frames follows from that
// camera's alignment, as far as it is known.
#pragma once

#include <vector>

#include "core/sync/detail/pair.h"

namespace vantage::sync_detail {

// Base frames, the end excluded.
struct Span {
  double begin = 0, end = 0;
};

class AlignedPairs {
 public:
  // The alignment is changed from outside while it is searched for. Pairs whose `used` is false are left out.
  AlignedPairs(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
               const std::vector<CameraAlignment>& cameras);

  size_t size() const { return pairs_.size(); }
  const PairAnalysis& operator[](size_t p) const { return pairs_[p]; }
  bool usable(size_t p) const { return usable_[p]; }
  const EstimateOptions& options() const { return options_; }
  const std::vector<CameraAlignment>& cameras() const { return cameras_; }
  const CameraAlignment& camera(int c) const { return cameras_[static_cast<size_t>(c)]; }

  double base_frame(const PairAnalysis& pair, double block) const;
  int block_at(const PairAnalysis& pair, double base_frame) const;
  Span span() const;  // that any usable pair has blocks for
  // The pair's lag over the span, measured along its path. `sigma` is 0 where nothing can be said.
  LagMeasure measure(size_t p, const Span& span) const;

  // A pair's own path is wrong by a frame here and there, which its lags' mean is smeared by, and a pair
  // whose first block is wrong was left out: from here on all pairs are measured along the alignment, where
  // they agree with it.
  void follow_alignment();

 private:
  const std::vector<PairAnalysis>& pairs_;
  const EstimateOptions& options_;
  const std::vector<CameraAlignment>& cameras_;
  std::vector<bool> usable_;             // by pair
  std::vector<std::vector<int>> paths_;  // by pair: lags by block that it is measured along
};

}  // namespace vantage::sync_detail
