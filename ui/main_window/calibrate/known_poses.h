// How sure the cameras are that were solved in this window: for as long as they stand as they were solved.
#pragma once

#include <span>
#include <vector>

#include "core/calibration/solve/camera_values.h"

namespace vantage::ui {

class KnownPoses {
 public:
  void forget() { solved_.clear(); }
  void take(const std::vector<SolvedTogether>& solved) {
    constexpr size_t kKept = 64;  // proposals applied; cameras seldom still stand as an older one said
    solved_.insert(solved_.begin(), solved.begin(), solved.end());
    if (solved_.size() > kKept) solved_.resize(kKept);
  }
  // The newest first. A camera counts while it stands as it was solved (index_of()).
  std::span<const SolvedTogether> solved() const { return solved_; }

 private:
  std::vector<SolvedTogether> solved_;
};

}  // namespace vantage::ui
