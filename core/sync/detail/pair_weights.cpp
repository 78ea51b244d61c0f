#include "core/sync/detail/pair_weights.h"

#include <algorithm>
#include <cmath>

namespace vantage::sync_detail {
namespace {

constexpr double kStretch_s = 1;
constexpr double kBesideChange_s = 1;  // a change is known to within this
constexpr double kMargin = 1.5;        // times as sure as a window's few stretches show
constexpr int kHalvings = 8;           // of the interval the weight lies in

class PairWeights {
 public:
  PairWeights(const AlignedPairs& pairs, const Evidence& evidence, double end)
      : pairs_(pairs), evidence_(evidence) {
    for (double m = evidence.span().begin; m < end; m += evidence.step()) looks_.push_back({m, settled(m)});
  }

  double of(size_t p) const {
    const std::vector<double> gains = gains_of_stretches(p);
    const auto exceeds = [&](double factor) {
      double sum = 0;
      for (const double gain : gains) sum += std::exp(factor * gain);
      return sum > static_cast<double>(gains.size());
    };
    if (!exceeds(kMargin)) return 1;
    double low = 0, high = 1;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = (low + high) / 2;
      (exceeds(kMargin * middle) ? high : low) = middle;
    }
    return low;
  }

 private:
  struct Look {
    double base_frame;
    bool settled;
  };

  bool settled(double base_frame) const {
    const double beside = kBesideChange_s * pairs_.options().frame_rate;
    for (const CameraAlignment& camera : pairs_.cameras())
      for (const OffsetChange& change : camera.changes)
        if (std::abs(static_cast<double>(change.base_frame) - base_frame) < beside) return false;
    return true;
  }

  // Gains of every stretch without a change in it and of every lag off the alignment.
  std::vector<double> gains_of_stretches(size_t p) const {
    const auto camera = static_cast<size_t>(pairs_[p].estimate.second);
    const int length =
        std::max(1, static_cast<int>(kStretch_s * pairs_.options().frame_rate / evidence_.step()));
    std::vector<double> gains;
    Gains sum{};
    int looks = 0;
    for (const Look& look : looks_) {
      if (looks == 0) sum = {};
      const bool compared = look.settled && evidence_.add_gains(p, camera, look.base_frame, &sum);
      looks = compared ? looks + 1 : 0;
      if (looks < length) continue;
      for (int s = 0; s < kChangeSizes; ++s)
        if (s != kLargestChange) gains.push_back(sum[static_cast<size_t>(s)]);
      looks = 0;
    }
    return gains;
  }

  const AlignedPairs& pairs_;
  const Evidence& evidence_;
  std::vector<Look> looks_;
};

}  // namespace

std::vector<double> pair_weights(const AlignedPairs& pairs, const Evidence& evidence, double end) {
  const PairWeights weights(pairs, evidence, end);
  std::vector<double> out;
  for (size_t p = 0; p < pairs.size(); ++p) out.push_back(pairs.usable(p) ? weights.of(p) : 1.0);
  return out;
}

}  // namespace vantage::sync_detail
