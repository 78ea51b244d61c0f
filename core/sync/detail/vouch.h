// Parts of an alignment that the footage bears out.
//
// One more change explains any footage better, and poor foreground far better. So every stretch between two
// changes has to bear out its own offset: a camera's
//
//   D(a) = sum over looks and its pairs of  w (log L(alignment) - log L(a))
//
// is compared for every other offset a, kMinJump frames and more off it, and for "another scene", where log L
// is 0. The weights w are those of evidence.h, of pairs and once more of all pairs of a camera, which share
// its pictures. The frames vouched for are those before which, and behind which, D is at least kVouched for
// all a: in the rest, at the ends of a recording or where little moves, frames can be lost unseen.
#pragma once

#include <optional>
#include <vector>

#include "core/sync/detail/evidence.h"

namespace vantage::sync_detail {

class Vouching {
 public:
  // Learns the weights from the alignment as it is, over the evidence's span.
  Vouching(const AlignedPairs& pairs, const Evidence& evidence);

  // The camera's change with the smallest evidence; nothing where all are sure. A change is sure where, in
  // the stretches before and behind it, D is positive for all a in every other second and in the rest of them
  // (each half finds the offset without the other), at least kVouched against the offset on the change's
  // other side and against another scene, and two pairs agree; one alone if the camera has no other and the
  // change is long.
  std::optional<size_t> unsure_change(size_t camera) const;
  // Empty (begin >= end) where nothing is.
  Span vouched(size_t camera) const;
  // Probability of the alignment as a whole against all others, kMinJump frames and more off it.
  double confidence(size_t camera) const;

 private:
  // Gains, weighted; at kLargestChange itself those of another scene.
  Gains gains_of(size_t camera, double base_frame) const;
  bool has_pictures(size_t p, double base_frame) const;
  double stretch_evidence(size_t camera, const Span& stretch, int other) const;

  const AlignedPairs& pairs_;
  const Evidence& evidence_;
  std::vector<double> weights_;         // by pair
  std::vector<double> camera_weights_;  // by camera
};

}  // namespace vantage::sync_detail
