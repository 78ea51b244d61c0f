#include "core/sync/detail/follow.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/sync/detail/drift_line.h"
#include "core/sync/detail/evidence.h"
#include "core/sync/detail/jumps.h"
#include "core/sync/detail/latest_offset.h"
#include "core/sync/detail/stepped_line.h"
#include "core/sync/detail/stretches.h"

namespace vantage::sync_detail {
namespace {

constexpr int kRefinements = 3;
constexpr double kLargeLoss = 10;      // frames
constexpr double kSameLoss_s = 2;      // losing and gaining within this is one loss,
constexpr double kBelievedTwice = 30;  // unless two explain so many nats more
constexpr double kSureSize = 20;       // nats more than any other size
constexpr double kDoubted = 0.5;       // the confidence of a camera that lost frames, no one knows how many
constexpr int kNearSizes = 10, kFarSizes = 20;  // frames

class Follower {
 public:
  Follower(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
           std::vector<CameraAlignment>* cameras)
      : cameras_(*cameras), pairs_(pairs, options, cameras_), evidence_(pairs_) {}

  // Lost frames can look like drift and drift like lost frames: both are tried first, and each camera gets
  // what explains its pairs better.
  void run() {
    jumps_ = find_jumps(pairs_);
    const std::vector<Jump> found = jumps_;
    const std::vector<CameraAlignment> start = cameras_;
    explain(fit_drift);
    const std::vector<CameraAlignment> drifting = cameras_;
    if (windows_.empty()) return;
    jumps_ = found, cameras_ = start;
    explain(fit_level);
    choose(drifting);
    settle_moments();
    for (int round = 0; round < kRefinements && refine_jumps(); ++round) {
      fit_all(fit_drift);
      settle_moments();
    }
    jumps_ = join_jumps(pairs_, {});
    pairs_.follow_alignment();
    fit_all(fit_drift);
    settle_losses();
    if (pairs_.options().latest_s > 0) find_latest_offsets(pairs_, evidence_, &cameras_);
  }

 private:
  // Explains by the jumps that pairs show, taking what is between them for `line`.
  void explain(LineFit line) {
    fit_all(line);
    if (refine_jumps()) fit_all(fit_drift);
  }

  // For each camera the better of what it has and `other`.
  void choose(const std::vector<CameraAlignment>& other) {
    const std::vector<CameraAlignment> own = cameras_;
    const double before = evidence_.of_all();
    cameras_ = other;
    const bool other_first = evidence_.of_all() >= before;
    if (!other_first) cameras_ = own;
    const std::vector<CameraAlignment>& second = other_first ? own : other;
    for (size_t c = 0; c < cameras_.size(); ++c) {
      const double here = evidence_.of(c);
      const CameraAlignment first = std::exchange(cameras_[c], second[c]);
      if (evidence_.of(c) <= here) cameras_[c] = first;
    }
  }

  void fit_all(LineFit line) {
    const Span span = pairs_.span();
    evidence_.set_span(span);
    windows_ = make_windows(span, jumps_, pairs_.options().frame_rate);
    measured_ = measure_offsets(pairs_, windows_);
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (is_measured(c)) cameras_[c] = fit(c, jump_sizes(c), line);
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (is_measured(c)) improve(c, line);
  }
  bool is_measured(size_t c) const { return cameras_[c].offset_frames && !measured_[c].empty(); }
  CameraAlignment fit(size_t c, std::vector<double> sizes, LineFit line) const {
    return fit_stepped_line(cameras_[c], jumps_, measured_[c], std::move(sizes), line);
  }

  // Jumps that all pairs of a camera together show in addition to those found; true when there are any.
  bool refine_jumps() {
    if (windows_.empty()) return false;
    std::vector<Jump> more = jumps_beside(pairs_, evidence_);
    if (more.empty()) return false;
    jumps_ = join_jumps(pairs_, std::move(more));
    return true;
  }

  // The change of the camera's offset at each jump; what came before it was first measured is in the
  // offset.
  std::vector<double> jump_sizes(size_t c) const {
    std::vector<double> sizes;
    for (size_t j = 0; j < jumps_.size(); ++j)
      sizes.push_back(j < measured_[c].front().stretch ? 0.0 : jumps_[j].frames[c]);
    return sizes;
  }

  // Another line, and each change left out or a frame more or less: whatever has more evidence.
  void improve(size_t c, LineFit line) {
    try_sizes(c, sizes_of(cameras_[c], jumps_), fit_level);
    for (size_t j = 0; j < jumps_.size(); ++j)
      for (const double beside : {-1.0, 1.0, 0.0}) {
        std::vector<double> sizes = sizes_of(cameras_[c], jumps_);
        if (sizes[j] == 0) continue;
        sizes[j] = beside == 0 ? 0 : sizes[j] + beside;
        try_sizes(c, sizes, fit_level);
        if (line != fit_level) try_sizes(c, sizes, line);
      }
  }
  void try_sizes(size_t c, const std::vector<double>& sizes, LineFit line) {
    const double best = evidence_.of(c);
    const CameraAlignment before = std::exchange(cameras_[c], fit(c, sizes, line));
    if (evidence_.of(c) < best) cameras_[c] = before;
  }

  // A pair's path changes where noise lets it, and a change found for two cameras at once may be that of one:
  // each lies where all pairs of its camera say.
  void settle_moments() {
    const double reach = 2 * kJumpCluster_s * pairs_.options().frame_rate;
    for (size_t c = 0; c < cameras_.size(); ++c)
      for (OffsetChange& change : cameras_[c].changes) {
        const int64_t found = change.base_frame;
        double best = evidence_.of(c);
        int64_t best_frame = found;
        for (double beside = -reach; beside <= reach; beside += evidence_.step()) {
          change.base_frame = found + std::llround(beside);
          const double here = evidence_.of(c);
          if (here > best) best = here, best_frame = change.base_frame;
        }
        change.base_frame = best_frame;
      }
  }

  // Large losses, which the paths of pairs follow roughly: a camera that loses many frames and gains many
  // again within a short time has lost what remains, and each size is the one near it that all pairs of its
  // camera say. Where they do not tell it from others nothing is said of it, and the camera is doubted.
  void settle_losses() {
    for (size_t c = 0; c < cameras_.size(); ++c) {
      if (!cameras_[c].offset_frames) continue;
      for (size_t j = 0; j + 1 < cameras_[c].changes.size();) j += join_opposed(c, j) ? 0 : 1;
      for (size_t j = 0; j < cameras_[c].changes.size();) {
        const bool sure = std::abs(cameras_[c].changes[j].frames) < kLargeLoss ||
                          settle_loss(c, j, kNearSizes) >= kSureSize;
        if (!sure) doubt_loss(c, j);
        j += sure ? 1 : 0;
      }
    }
  }
  bool join_opposed(size_t c, size_t j) {
    std::vector<OffsetChange>& changes = cameras_[c].changes;
    const OffsetChange first = changes[j], second = changes[j + 1];
    const bool opposed = first.frames * second.frames < 0 && std::abs(first.frames) >= kLargeLoss &&
                         std::abs(second.frames) >= kMinJump &&
                         static_cast<double>(second.base_frame - first.base_frame) <=
                             kSameLoss_s * pairs_.options().frame_rate;
    if (!opposed) return false;
    const CameraAlignment before = cameras_[c];
    const double apart = evidence_.of(c);
    changes[j].frames += second.frames;
    changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(j) + 1);
    settle_loss(c, j, kFarSizes);
    if (evidence_.of(c) >= apart - kBelievedTwice) return true;
    cameras_[c] = before;
    return false;
  }
  // The size and instant with the most evidence; how many nats more than the best other size has. Sizes that
  // differ by one frame are one.
  double settle_loss(size_t c, size_t j, int sizes) {
    OffsetChange& change = cameras_[c].changes[j];
    const OffsetChange found = change;
    std::vector<std::pair<double, OffsetChange>> by_size = {{evidence_.of(c), found}};
    for (int size = -sizes; size <= sizes; ++size)
      by_size.push_back(best_moment(c, j, {found.base_frame, found.frames + size}));
    const auto more = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto [most, best] = *std::max_element(by_size.begin(), by_size.end(), more);
    std::erase_if(by_size, [&](const auto& one) { return std::abs(one.second.frames - best.frames) < 2; });
    change = best;
    return most - std::max_element(by_size.begin(), by_size.end(), more)->first;
  }
  // Its evidence, and where a change of that size has most of it.
  std::pair<double, OffsetChange> best_moment(size_t c, size_t j, const OffsetChange& about) {
    const double reach = kSameLoss_s * pairs_.options().frame_rate;
    std::vector<OffsetChange>& changes = cameras_[c].changes;
    std::pair<double, OffsetChange> best = {-INFINITY, about};
    for (double beside = -reach; about.frames != 0 && beside <= reach; beside += evidence_.step()) {
      changes[j] = {about.base_frame + std::llround(beside), about.frames};
      const bool in_order = (j == 0 || changes[j - 1].base_frame < changes[j].base_frame) &&
                            (j + 1 == changes.size() || changes[j].base_frame < changes[j + 1].base_frame);
      if (!in_order) continue;
      if (const double here = evidence_.of(c); here > best.first) best = {here, changes[j]};
    }
    return best;
  }
  void doubt_loss(size_t c, size_t j) {
    cameras_[c].changes.erase(cameras_[c].changes.begin() + static_cast<std::ptrdiff_t>(j));
    cameras_[c].confidence = std::min(cameras_[c].confidence, kDoubted);
  }

  std::vector<CameraAlignment>& cameras_;
  AlignedPairs pairs_;
  Evidence evidence_;
  std::vector<Jump> jumps_;
  std::vector<Window> windows_;
  std::vector<std::vector<MeasuredOffset>> measured_;  // by camera
};

}  // namespace

void follow_alignment(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
                      std::vector<CameraAlignment>* cameras) {
  Follower(pairs, options, cameras).run();
}

}  // namespace vantage::sync_detail
