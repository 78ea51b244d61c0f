// Changes that were found, one by one: each is settled at the instant and with the size that all pairs of its
// camera show, or taken out.
#pragma once

#include <utility>
#include <vector>

#include "core/sync/detail/evidence.h"

namespace vantage::sync_detail {

class Losses {
 public:
  // `cameras` are those of `pairs`.
  Losses(const AlignedPairs& pairs, const Evidence& evidence, std::vector<CameraAlignment>* cameras)
      : pairs_(pairs), evidence_(evidence), cameras_(*cameras) {}

  void settle_moments();
  void settle_sizes();
  // Takes out one change of each camera that has any which the footage does not bear out; false where none
  // has.
  bool drop_unsure();

 private:
  bool join_opposed(size_t c, size_t j);
  double settle_loss(size_t c, size_t j, int sizes);
  std::pair<double, OffsetChange> best_moment(size_t c, size_t j, const OffsetChange& about);
  void doubt_loss(size_t c, size_t j);
  void drop_change(size_t c, size_t j);
  void settle_offset(size_t c);

  const AlignedPairs& pairs_;
  const Evidence& evidence_;
  std::vector<CameraAlignment>& cameras_;
};

}  // namespace vantage::sync_detail
