#include "core/sync/detail/vouch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/sync/detail/reconcile.h"

namespace vantage::sync_detail {
namespace {

constexpr double kVouched = 3;       // nats: 20 to 1
constexpr double kEndGuard_s = 0.4;  // from the ends of a stretch: a change is known to within this
constexpr double kHalf_s = 1;        // the halves take turns
// A pose that is off makes people cross a line early who walk one way, and late who walk back: less than this
// is no change as long as one pair alone shows it.
constexpr double kWalked_s = 0.5;
constexpr int kOtherScene = kLargestChange;

// Frames off the alignment that are an alternative to it.
bool is_alternative(int s) {
  return s == kOtherScene || std::abs(s - kOtherScene) >= kMinJump;
}

// The base frame of the first picture behind a change.
double resumed(const OffsetChange& change) {
  return static_cast<double>(change.base_frame) + std::max(0.0, -change.frames);
}

}  // namespace

Vouching::Vouching(const AlignedPairs& pairs, const Evidence& evidence)
    : pairs_(pairs), evidence_(evidence), weights_(pair_weights(pairs, evidence, evidence.span().end)) {
  camera_weights_.assign(pairs.cameras().size(), 1.0);
  for (size_t c = 0; c < camera_weights_.size(); ++c)
    camera_weights_[c] = weight_of(pairs, evidence, [&](double base_frame, Gains* gains) {
      bool any = false;
      for (size_t p = 0; p < pairs_.size(); ++p) {
        Gains own{};
        if (!evidence_.add_gains(p, c, base_frame, &own)) continue;
        for (size_t s = 0; s < own.size(); ++s) (*gains)[s] += weights_[p] * own[s];
        any = true;
      }
      return any;
    });
}

Gains Vouching::gains_of(size_t camera, double base_frame) const {
  Gains sum{};
  for (size_t p = 0; p < pairs_.size(); ++p) {
    Gains gains{};
    if (!has_pictures(p, base_frame) || !evidence_.add_gains(p, camera, base_frame, &gains)) continue;
    gains[kOtherScene] = -evidence_.of_pair(p, base_frame);
    for (size_t s = 0; s < sum.size(); ++s) sum[s] += camera_weights_[camera] * weights_[p] * gains[s];
  }
  return sum;
}

bool Vouching::has_pictures(size_t p, double base_frame) const {
  const double guard = kEndGuard_s * pairs_.options().frame_rate;
  return !is_lost(pairs_.camera(pairs_[p].estimate.first), base_frame, guard) &&
         !is_lost(pairs_.camera(pairs_[p].estimate.second), base_frame, guard);
}

// Nats by which the camera's offset is borne out; negative: it is not.
double Vouching::stretch_evidence(size_t camera, const Span& stretch, int other) const {
  const double rate = pairs_.options().frame_rate;
  Gains halves[2] = {};
  double others[2] = {};
  std::vector<double> by_pair(pairs_.size(), 0.0);
  std::vector<bool> compared(pairs_.size(), false);
  for (double m = stretch.begin + kEndGuard_s * rate; m < stretch.end - kEndGuard_s * rate;
       m += evidence_.step()) {
    const auto half = static_cast<size_t>((m - stretch.begin) / (kHalf_s * rate)) % 2;
    const Gains gains = gains_of(camera, m);
    for (size_t s = 0; s < gains.size(); ++s) halves[half][s] += gains[s];
    for (size_t p = 0; p < pairs_.size(); ++p) {
      if (!has_pictures(p, m)) continue;
      const std::optional<double> gain = evidence_.gain(p, camera, m, other);
      if (!gain) continue;
      compared[p] = true;
      by_pair[p] += *gain;
      others[half] += camera_weights_[camera] * weights_[p] * *gain;
    }
  }
  const double scene = -(halves[0][kOtherScene] + halves[1][kOtherScene]);
  double smallest = std::min(scene, -(others[0] + others[1])) - kVouched;
  for (size_t half = 0; half < 2; ++half) {
    smallest = std::min(smallest, -others[half]);
    for (int s = 0; s < kChangeSizes; ++s)
      if (is_alternative(s)) smallest = std::min(smallest, -halves[half][s]);
  }
  const auto agree = std::count_if(by_pair.begin(), by_pair.end(), [](double gain) { return gain < 0; });
  const bool is_walked = std::abs(other) < kWalked_s * rate;
  const auto asked =
      is_walked ? 2 : std::min<std::ptrdiff_t>(2, std::count(compared.begin(), compared.end(), true));
  return agree < asked ? std::min(smallest, -kVouched) : smallest;
}

std::optional<size_t> Vouching::unsure_change(size_t camera) const {
  const std::vector<OffsetChange>& changes = pairs_.cameras()[camera].changes;
  const double near = kJumpCluster_s * pairs_.options().frame_rate;
  const auto base = static_cast<size_t>(pairs_.options().base);
  // All others seem to gain what the base loses: then the base has to be sure.
  const auto is_of_base = [&](const OffsetChange& change) {
    if (pairs_.cameras().size() < 3) return false;
    for (size_t c = 0; c < pairs_.cameras().size(); ++c) {
      const CameraAlignment& other = pairs_.cameras()[c];
      if (c == base || !other.offset_frames) continue;
      if (std::none_of(other.changes.begin(), other.changes.end(), [&](const OffsetChange& one) {
            return std::abs(static_cast<double>(one.base_frame - change.base_frame)) <= near;
          }))
        return false;
    }
    return true;
  };
  std::optional<size_t> unsure;
  double smallest = 0;
  for (size_t j = 0; j < changes.size(); ++j) {
    const Span before = {j > 0 ? resumed(changes[j - 1]) : evidence_.span().begin,
                         static_cast<double>(changes[j].base_frame)};
    const Span behind = {resumed(changes[j]), j + 1 < changes.size()
                                                  ? static_cast<double>(changes[j + 1].base_frame)
                                                  : evidence_.span().end};
    const int frames = static_cast<int>(std::lround(changes[j].frames));
    const bool of_base = is_of_base(changes[j]);
    const size_t moved = of_base ? base : camera;
    const int sign = of_base ? -1 : 1;
    const double here = std::min(stretch_evidence(moved, before, sign * frames),
                                 stretch_evidence(moved, behind, -sign * frames));
    if (here < smallest) smallest = here, unsure = j;
  }
  return unsure;
}

Span Vouching::vouched(size_t camera) const {
  const Span all = evidence_.span();
  const auto base = static_cast<size_t>(pairs_.options().base);
  const auto looks = static_cast<size_t>((all.end - all.begin) / evidence_.step());
  std::vector<Gains> gains(looks);
  // Nats that speak against a loss at each look, of any size, given what is on that side of it.
  const auto against = [&](bool behind) {
    std::vector<double> nats(looks);
    Gains sum{};
    // A camera that loses frames has been further ahead until then.
    const auto from = sum.begin() + (behind ? 0 : kOtherScene + kMinJump);
    const auto to = sum.begin() + (behind ? kOtherScene - kMinJump + 1 : kChangeSizes);
    for (size_t i = 0; i < looks; ++i) {
      const size_t k = behind ? looks - 1 - i : i;
      for (size_t s = 0; s < sum.size(); ++s) sum[s] += gains[k][s];
      nats[k] = -std::max(*std::max_element(from, to), sum[kOtherScene]);
    }
    return nats;
  };
  // Losses that explain kVouched nats less than the likeliest one, or than none, are excluded.
  const auto is_open = [](const std::vector<double>& nats) {
    const double limit = kVouched + std::min(0.0, *std::min_element(nats.begin(), nats.end()));
    return [limit](double one) { return one < limit; };
  };
  Span vouched = all;
  std::vector<size_t> moved = {camera};
  if (pairs_.cameras().size() > 2) moved.push_back(base);
  for (const size_t one : moved) {
    for (size_t k = 0; k < looks; ++k)
      gains[k] = gains_of(one, all.begin + static_cast<double>(k) * evidence_.step());
    if (looks == 0) return {};
    const std::vector<double> behind = against(true), before = against(false);
    const auto first = std::find_if(behind.begin(), behind.end(), is_open(behind)) - behind.begin();
    const auto last = std::find_if(before.rbegin(), before.rend(), is_open(before)) - before.rbegin();
    vouched.end = std::min(vouched.end, all.begin + static_cast<double>(first) * evidence_.step());
    vouched.begin = std::max(vouched.begin, all.end - static_cast<double>(last) * evidence_.step());
  }
  return vouched;
}

double Vouching::confidence(size_t camera) const {
  const Span all = evidence_.span();
  Gains sum{};
  for (double m = all.begin; m < all.end; m += evidence_.step()) {
    const Gains gains = gains_of(camera, m);
    for (size_t s = 0; s < sum.size(); ++s) sum[s] += gains[s];
  }
  double others = 0;
  for (int s = 0; s < kChangeSizes; ++s)
    if (const double gain = sum[s]; s == kOtherScene || (is_alternative(s) && gain != 0))
      others += std::exp(gain);
  return 1 / (1 + others);
}

}  // namespace vantage::sync_detail
