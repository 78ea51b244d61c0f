// The evidence of all pairs of a camera for its alignment.
//
// log L (pair.h) of all blocks of the camera's pairs along the alignment, less what it takes to believe it: a
// cost for each change and for the drift. Clocks are seldom far off, and a change that is not there explains
// a little of the noise.
#pragma once

#include <array>
#include <vector>

#include "core/sync/detail/aligned_pairs.h"

namespace vantage::sync_detail {

inline constexpr double kSameChange_s = 0.5;  // changes of one camera nearer than this are one
inline constexpr double kChangeCost = 8;      // nats that a change must explain over all of a camera's pairs

inline constexpr int kLargestChange = 40;  // frames that are lost or gained at once
inline constexpr int kChangeSizes = 2 * kLargestChange + 1;
using Gains = std::array<double, kChangeSizes>;  // nats, of being s - kLargestChange frames off

class Evidence {
 public:
  explicit Evidence(const AlignedPairs& pairs) : pairs_(pairs) {}
  void set_span(const Span& span) { span_ = span; }
  const Span& span() const { return span_; }
  double step() const;  // base frames from one look to the next

  // The evidence of the camera's pairs for its frame being `beside` its alignment at that base frame, in
  // nats.
  double likelihood(size_t camera, double base_frame, int beside) const;
  // Adds what pair p says to the camera being off its alignment, against what it says to the alignment, of
  // what can be compared under both; false where nothing can.
  bool add_gains(size_t p, size_t camera, double base_frame, Gains* gains) const;
  // The evidence of pair p for the alignment there, in nats.
  double of_pair(size_t p, double base_frame) const;
  double of(size_t camera) const;  // nats
  double of_all() const;
  // How many frames the camera most likely is off its alignment, at every step of the span.
  std::vector<int> path_beside(size_t camera) const;

 private:
  struct Look {
    double nats = 0, frames = 0;
  };
  // Frames of a pair's first and second camera.
  struct Place {
    double first = 0, second = 0;
    void move(bool first_camera, int frames) { (first_camera ? first : second) += frames; }
  };
  bool has(size_t p, size_t camera) const;  // a usable pair of the camera
  Place place(const PairAnalysis& pair, double base_frame) const;
  static Look look(const PairAnalysis& pair, const Place& place);
  double change_cost(size_t camera, double base_frame) const;

  const AlignedPairs& pairs_;
  Span span_;
};

}  // namespace vantage::sync_detail
