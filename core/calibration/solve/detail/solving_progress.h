// How far the solving of clips out of step is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace vantage {

// Parts of a thousand each: every camera's poses, every pair of cameras that may have to be compared, every
// round.
class SolvingProgress {
 public:
  using Told = std::function<void(int64_t done, int64_t total)>;

  SolvingProgress(size_t cameras, int rounds, const Told& told)
      : told_(told), cameras_(cameras), pairs_(cameras * (cameras - 1) / 2), rounds_(rounds) {}
  void poses(size_t done) const { tell(static_cast<double>(done)); }
  // `share` of the pair that comes after `before` others.
  void pair(size_t before, double share) const { tell(static_cast<double>(cameras_ + before) + share); }
  void round(int before) const { tell(static_cast<double>(cameras_ + pairs_) + before); }

 private:
  void tell(double parts) const {
    constexpr double kOfPart = 1000;
    const double total = kOfPart * (static_cast<double>(cameras_ + pairs_) + rounds_);
    if (told_) told_(static_cast<int64_t>(std::min(kOfPart * parts, total)), static_cast<int64_t>(total));
  }

  const Told& told_;
  size_t cameras_, pairs_;
  int rounds_;
};

}  // namespace vantage
