// Which of many paths may have a point in a frame, without looking at all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/people/floor_person.h"

namespace vantage {

class PathsByFrame {
 public:
  PathsByFrame() = default;
  // Indices are those of `paths`, which are not kept.
  explicit PathsByFrame(std::span<const PersonPath> paths);

  // Ascending; those of the people who are there, and of a few who come or go around that frame.
  std::span<const uint32_t> near(int64_t frame) const {
    if (frame < first_ || frame > last_) return {};
    const size_t at = slot_of(frame);
    return std::span(indices_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
  }
  // Likewise of the frames from `first` to `last`, both included.
  std::vector<uint32_t> near(int64_t first, int64_t last) const;

 private:
  // The range is cut into so many spans of frames at most: anyone who stays all the time is in every one.
  static constexpr int64_t kSlots = 16'384;
  size_t slot_of(int64_t frame) const { return static_cast<size_t>((frame - first_) / every_); }

  int64_t first_ = INT64_MAX, last_ = INT64_MIN, every_ = 1;
  std::vector<size_t> begins_;  // of each slot in indices_, and their end
  std::vector<uint32_t> indices_;
};

inline PathsByFrame::PathsByFrame(std::span<const PersonPath> paths) {
  for (const PersonPath& path : paths) {
    if (path.points.empty()) continue;
    first_ = std::min(first_, path.points.frame(0));
    last_ = std::max(last_, path.points.frame(path.points.size() - 1));
  }
  if (last_ < first_) return;
  every_ = (last_ - first_) / kSlots + 1;
  begins_.assign(slot_of(last_) + 2, 0);
  const auto for_slots = [&](const PersonPath& path, const auto& act) {
    if (path.points.empty()) return;
    const size_t end = slot_of(path.points.frame(path.points.size() - 1));
    for (size_t slot = slot_of(path.points.frame(0)); slot <= end; ++slot) act(slot);
  };
  for (const PersonPath& path : paths) for_slots(path, [&](size_t slot) { ++begins_[slot + 1]; });
  for (size_t slot = 1; slot < begins_.size(); ++slot) begins_[slot] += begins_[slot - 1];
  indices_.resize(begins_.back());
  std::vector<size_t> next(begins_.begin(), begins_.end() - 1);
  for (size_t i = 0; i < paths.size(); ++i)
    for_slots(paths[i], [&](size_t slot) { indices_[next[slot]++] = static_cast<uint32_t>(i); });
}

inline std::vector<uint32_t> PathsByFrame::near(int64_t first, int64_t last) const {
  first = std::max(first, first_), last = std::min(last, last_);
  std::vector<uint32_t> all;
  if (first > last) return all;
  all.assign(indices_.begin() + static_cast<std::ptrdiff_t>(begins_[slot_of(first)]),
             indices_.begin() + static_cast<std::ptrdiff_t>(begins_[slot_of(last) + 1]));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace vantage
