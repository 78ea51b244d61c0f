#include "core/sync/detail/latest_offset.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/sync/detail/evidence.h"

namespace vantage::sync_detail {
namespace {

constexpr int kNone = kLargestChange;  // of the sizes

constexpr int kMinLooks = 3;  // that a change is seen in: in a single one anything may fit
// Most losses are this short (frames), and longer ones cost so many nats for each e times as long.
constexpr double kUsualLoss = 5, kCostOfLonger = 2;

double cost_of(int frames) {
  return kChangeCost + kCostOfLonger * std::log(std::max(1.0, std::abs(frames) / kUsualLoss));
}

struct Score {
  double nats = 0;
  int64_t since = 0;
  int looks = 0;
};
using Scores = std::array<Score, kChangeSizes>;

// Look after look; sums between any two positions, with fractions of a look.
class RunningSum {
 public:
  void add(double value) { until_.push_back(until_.back() + value); }
  double between(double from, double to) const { return at(to) - at(from); }

 private:
  double at(double place) const {
    const auto k = std::min(static_cast<size_t>(place), until_.size() - 2);
    const double fraction = place - static_cast<double>(k);
    return (1 - fraction) * until_[k] + fraction * until_[k + 1];
  }
  std::vector<double> until_{0};
};

struct Looks {
  int count = 0;
  RunningSum aligned;                                 // what all pairs say to the alignment
  std::array<RunningSum, kChangeSizes> gained, seen;  // against it, by size; how often there was anything
};

struct Change {
  int frames = 0;
  int64_t since = 0;
  double gain = 0;         // nats against no change
  double probability = 0;  // of these frames
  double near = 0;         // of these or one more or less
  double any = 0;          // of any change
};

class LatestOffsets {
 public:
  LatestOffsets(const AlignedPairs& pairs, const Evidence& evidence, std::vector<CameraAlignment>* cameras)
      : pairs_(pairs), evidence_(evidence), cameras_(*cameras) {
    const double step = evidence.step(), rate = pairs.options().frame_rate;
    const double length = step * std::round(pairs.options().latest_s * rate / step);
    begin_ = std::max(evidence.span().begin, evidence.span().end - length);
  }

  void run() {
    const std::vector<CameraAlignment> whole = cameras_;
    for (CameraAlignment& camera : cameras_)
      std::erase_if(camera.changes, [&](const OffsetChange& change) {
        return static_cast<double>(change.base_frame) > begin_;
      });
    weights_ = pair_weights(pairs_, evidence_, begin_);
    std::vector<Change> changes(cameras_.size());
    std::vector<bool> believed(cameras_.size(), false);
    for (size_t round = 0; round < cameras_.size(); ++round) {
      for (size_t c = 0; c < cameras_.size(); ++c)
        if (!believed[c] && can_change(c)) changes[c] = likeliest_change(c);
      size_t strongest = cameras_.size();
      for (size_t c = cameras_.size(); c-- > 0;)  // of equals the base last: it has no offset of its own
        if (!believed[c] && changes[c].gain > (strongest < cameras_.size() ? changes[strongest].gain : 0))
          strongest = c;
      if (strongest == cameras_.size()) break;
      believe(strongest, changes[strongest]);
      believed[strongest] = true;
    }
    tell(whole, changes);
  }

 private:
  size_t base() const { return static_cast<size_t>(pairs_.options().base); }
  // Either of two cameras may have lost what the other gains.
  bool can_change(size_t c) const {
    return cameras_[c].offset_frames && (c != base() || cameras_.size() > 2);
  }

  Scores score_changes(size_t camera) const {
    const Looks looks = measure(camera);
    Scores scores;
    for (int s = 0; s < kChangeSizes; ++s)
      if (s != kNone) scores[s] = best_start(looks, s, frames_lost(camera, s));
    return scores;
  }

  // Frames lost by a change of that size; what the base loses the others seem to gain, which have frames all
  // the time.
  int frames_lost(size_t camera, int s) const { return camera == base() ? 0 : std::max(0, kNone - s); }

  Looks measure(size_t camera) const {
    Looks looks;
    for (double m = begin_; m < evidence_.span().end; m += evidence_.step(), ++looks.count) {
      Gains sum{};
      double aligned = 0;
      for (size_t p = 0; p < pairs_.size(); ++p) {
        Gains gains{};
        if (!evidence_.add_gains(p, camera, m, &gains)) continue;
        for (size_t s = 0; s < sum.size(); ++s) sum[s] += weights_[p] * gains[s];
        aligned += weights_[p] * evidence_.of_pair(p, m);
      }
      looks.aligned.add(aligned);
      for (size_t s = 0; s < sum.size(); ++s) looks.gained[s].add(sum[s]), looks.seen[s].add(sum[s] != 0);
    }
    return looks;
  }

  // A camera that is losing frames lacks only what spoke for the alignment.
  Score best_start(const Looks& looks, int s, int lost) const {
    const auto size = static_cast<size_t>(s);
    Score best{-std::numeric_limits<double>::infinity(), 0, 0};
    for (int k = 0; k < looks.count; ++k) {
      const double resumed = std::min<double>(k + lost / evidence_.step(), looks.count);
      const double nats =
          looks.gained[size].between(resumed, looks.count) - looks.aligned.between(k, resumed);
      if (nats <= best.nats) continue;
      best = {nats, std::llround(begin_ + k * evidence_.step()),
              static_cast<int>(looks.seen[size].between(std::floor(resumed), looks.count))};
    }
    return best;
  }

  Change likeliest_change(size_t camera) const {
    const Scores scores = score_changes(camera);
    const auto value = [&](int s) {
      const Score& score = scores[s];
      return s == kNone
                 ? 0.0
                 : (score.looks < kMinLooks ? std::min(score.nats, 0.0) : score.nats) - cost_of(s - kNone);
    };
    int best = kNone;
    for (int s = 0; s < kChangeSizes; ++s)
      if (value(s) > value(best)) best = s;
    double all = 0, near = 0;
    for (int s = 0; s < kChangeSizes; ++s) {
      const double share = std::exp(value(s) - value(best));
      all += share;
      if (s != kNone && std::abs(s - best) <= 1) near += share;
    }
    return {best - kLargestChange,           scores[best].since, value(best), 1 / all, near / all,
            1 - std::exp(-value(best)) / all};
  }

  void believe(size_t camera, const Change& change) {
    for (size_t c = 0; c < cameras_.size(); ++c) {
      if (c == base() || (c != camera && camera != base())) continue;
      const int frames = camera == base() ? -change.frames : change.frames;
      cameras_[c].changes.push_back({change.since, static_cast<double>(frames)});
    }
  }

  // The alignment of the whole recording again, with the latest offsets of what is believed.
  void tell(const std::vector<CameraAlignment>& whole, const std::vector<Change>& changes) {
    const double end = evidence_.span().end;
    for (size_t c = 0; c < cameras_.size(); ++c) {
      const CameraAlignment believed = cameras_[c];
      cameras_[c] = whole[c];
      if (!believed.offset_frames) continue;
      const Change &own = changes[c], &common = changes[base()];
      LatestOffset latest;
      latest.offset_frames = aligned_frame(believed, end) - end;
      latest.changed_frames = own.frames - common.frames;
      latest.since = own.frames != 0 ? own.since : common.since;
      latest.probability = own.probability * (common.frames != 0 ? common.probability : 1.0);
      latest.near = own.near * (common.frames != 0 ? common.near : 1.0);
      latest.changed = std::max(own.any, common.any);
      if (c == base()) latest = {};
      cameras_[c].latest = latest;
    }
  }

  const AlignedPairs& pairs_;
  const Evidence& evidence_;
  std::vector<CameraAlignment>& cameras_;
  double begin_ = 0;             // of the last seconds
  std::vector<double> weights_;  // by pair
};

}  // namespace

void find_latest_offsets(const AlignedPairs& pairs, const Evidence& evidence,
                         std::vector<CameraAlignment>* cameras) {
  LatestOffsets(pairs, evidence, cameras).run();
}

}  // namespace vantage::sync_detail
