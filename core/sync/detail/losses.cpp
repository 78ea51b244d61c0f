#include "core/sync/detail/losses.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/sync/detail/reconcile.h"
#include "core/sync/detail/vouch.h"

namespace vantage::sync_detail {
namespace {

constexpr double kLargeLoss = 10;      // frames
constexpr double kSameLoss_s = 2;      // losing and gaining within this is one loss,
constexpr double kBelievedTwice = 30;  // unless two explain so many nats more
constexpr double kSureSize = 20;       // nats more than any other size
constexpr double kDoubted = 0.5;       // the confidence of a camera that lost frames, no one knows how many
constexpr int kNearSizes = 10, kFarSizes = 20;  // frames

}  // namespace

// A pair's path changes where noise lets it, and a change found for two cameras at once may be that of one:
// each lies where all pairs of its camera say.
void Losses::settle_moments() {
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
// camera say. A camera that is watched is doubted where they do not tell it from others; of a complete
// recording every change has to be borne out in the end.
void Losses::settle_sizes() {
  for (size_t c = 0; c < cameras_.size(); ++c) {
    if (!cameras_[c].offset_frames) continue;
    for (size_t j = 0; j + 1 < cameras_[c].changes.size();) j += join_opposed(c, j) ? 0 : 1;
    for (size_t j = 0; j < cameras_[c].changes.size();) {
      const bool sure = std::abs(cameras_[c].changes[j].frames) < kLargeLoss ||
                        settle_loss(c, j, kNearSizes) >= kSureSize || pairs_.options().latest_s <= 0;
      if (!sure) doubt_loss(c, j);
      j += sure ? 1 : 0;
    }
  }
}

bool Losses::join_opposed(size_t c, size_t j) {
  std::vector<OffsetChange>& changes = cameras_[c].changes;
  const OffsetChange first = changes[j], second = changes[j + 1];
  const bool opposed =
      first.frames * second.frames < 0 && std::abs(first.frames) >= kLargeLoss &&
      std::abs(second.frames) >= kMinJump &&
      static_cast<double>(second.base_frame - first.base_frame) <= kSameLoss_s * pairs_.options().frame_rate;
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
double Losses::settle_loss(size_t c, size_t j, int sizes) {
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
std::pair<double, OffsetChange> Losses::best_moment(size_t c, size_t j, const OffsetChange& about) {
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

void Losses::doubt_loss(size_t c, size_t j) {
  cameras_[c].changes.erase(cameras_[c].changes.begin() + static_cast<std::ptrdiff_t>(j));
  cameras_[c].confidence = std::min(cameras_[c].confidence, kDoubted);
}

bool Losses::drop_unsure() {
  const Vouching vouching(pairs_, evidence_);
  std::vector<std::optional<size_t>> unsure;
  for (size_t c = 0; c < cameras_.size(); ++c) unsure.push_back(vouching.unsure_change(c));
  for (size_t c = 0; c < cameras_.size(); ++c)
    if (unsure[c]) drop_change(c, *unsure[c]);
  return std::any_of(unsure.begin(), unsure.end(), [](const auto& one) { return one.has_value(); });
}

// The stretches next to it become one, with the offset of that of them which explains it better.
void Losses::drop_change(size_t c, size_t j) {
  CameraAlignment& camera = cameras_[c];
  CameraAlignment as_before = camera, as_behind = camera;
  const double frames = camera.changes[j].frames;
  if (j + 1 < camera.changes.size()) as_before.changes[j + 1].frames += frames;
  if (j > 0)
    as_behind.changes[j - 1].frames += frames;
  else
    *as_behind.offset_frames += frames;
  for (CameraAlignment* one : {&as_before, &as_behind}) {
    one->changes.erase(one->changes.begin() + static_cast<std::ptrdiff_t>(j));
    std::erase_if(one->changes,
                  [](const OffsetChange& change) { return std::abs(change.frames) < kMinJump; });
  }
  camera = std::move(as_before);
  const double before = evidence_.of(c);
  std::swap(camera, as_behind);
  if (evidence_.of(c) < before) camera = std::move(as_behind);
  settle_offset(c);
}

// Few changes, or none, may lie on an offset that no stretch had.
void Losses::settle_offset(size_t c) {
  const double found = *cameras_[c].offset_frames;
  std::pair<double, double> best = {evidence_.of(c), found};
  for (int beside = -kFarSizes; beside <= kFarSizes; ++beside) {
    cameras_[c].offset_frames = found + beside;
    best = std::max(best, {evidence_.of(c), found + beside});
  }
  cameras_[c].offset_frames = best.second;
}

}  // namespace vantage::sync_detail
