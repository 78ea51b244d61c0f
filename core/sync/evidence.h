// What all pairs of a camera together say to its alignment; private to core/sync.
//
// log L (pair.h) of all blocks of the camera's pairs along the alignment, less what it takes to believe it: a
// cost for each change and for the drift. Clocks are seldom far off, and a change that is not there explains
// a little of the noise.
#pragma once

#include <vector>

#include "core/sync/aligned_pairs.h"

namespace vantage::sync_detail {

inline constexpr double kSameChange_s = 0.5;  // changes of one camera nearer than this are one

class Evidence {
 public:
  explicit Evidence(const AlignedPairs& pairs) : pairs_(pairs) {}
  void look_at(const Span& span) { span_ = span; }
  const Span& span() const { return span_; }
  double step() const;  // base frames from one look to the next

  double of(size_t camera) const;  // nats
  double of_all() const;
  // How many frames the camera most likely is beside its alignment, at every step of the span.
  std::vector<int> path_beside(size_t camera) const;

 private:
  double likelihood(size_t camera, double base_frame, int beside) const;
  double change_cost(size_t camera, double base_frame) const;

  const AlignedPairs& pairs_;
  Span span_;
};

}  // namespace vantage::sync_detail
