#include "core/pipeline/detail/checkpoints.h"

#include <cstdlib>
#include <vector>

namespace vantage {

void CheckpointStore::put(size_t stage, Checkpoint checkpoint) {
  const std::lock_guard lock(mutex_);
  Group& group = groups_[{stage, checkpoint.version}];
  group.last_use = ++uses_;
  const size_t bytes = checkpoint.memory->size_bytes();
  if (!group.by_frame.emplace(checkpoint.frame, std::move(checkpoint.memory)).second) return;
  group.bytes += bytes;
  bytes_ += bytes;
  while (bytes_ > max_bytes_ && thin_one()) continue;
}

void CheckpointStore::restate(size_t stage, uint64_t from, uint64_t to, int64_t first_changed) {
  std::vector<Checkpoint> moved;
  {
    const std::lock_guard lock(mutex_);
    const auto group = groups_.find({stage, from});
    if (group == groups_.end()) return;
    for (const auto& [frame, memory] : group->second.by_frame)
      if (frame < first_changed) moved.push_back({frame, to, memory});
    for (size_t i = 0; i < moved.size(); ++i) {
      const bool last = group->second.by_frame.size() == 1;
      remove(group, group->second.by_frame.begin());
      if (last) break;  // the group was removed with it
    }
  }
  for (Checkpoint& checkpoint : moved) put(stage, std::move(checkpoint));
}

bool CheckpointStore::contains(size_t stage, uint64_t version, int64_t frame) const {
  const std::lock_guard lock(mutex_);
  const auto group = groups_.find({stage, version});
  return group != groups_.end() && group->second.by_frame.contains(frame);
}

std::optional<Checkpoint> CheckpointStore::last_before(size_t stage, uint64_t version, int64_t frame) {
  const std::lock_guard lock(mutex_);
  const auto group = groups_.find({stage, version});
  if (group == groups_.end()) return std::nullopt;
  group->second.last_use = ++uses_;
  const auto after = group->second.by_frame.upper_bound(frame);
  if (after == group->second.by_frame.begin()) return std::nullopt;
  const auto entry = std::prev(after);
  return Checkpoint{entry->first, version, entry->second};
}

std::optional<Checkpoint> CheckpointStore::nearest(size_t stage, uint64_t version, int64_t frame) const {
  const std::lock_guard lock(mutex_);
  std::optional<Checkpoint> best;
  for (const auto& [key, group] : groups_) {
    if (key.first != stage) continue;
    for (const auto& [at, memory] : group.by_frame) {
      const bool nearer = !best || std::llabs(at - frame) < std::llabs(best->frame - frame);
      const bool as_near = best && std::llabs(at - frame) == std::llabs(best->frame - frame);
      if (nearer || (as_near && key.second == version)) best = Checkpoint{at, key.second, memory};
    }
  }
  return best;
}

size_t CheckpointStore::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void CheckpointStore::set_max_bytes(size_t max_bytes) {
  const std::lock_guard lock(mutex_);
  max_bytes_ = max_bytes;
  while (bytes_ > max_bytes_ && thin_one()) continue;
}

// Removes the checkpoint with the closest neighbours, of the version with most checkpoints.
bool CheckpointStore::thin_one() {
  Groups::iterator largest = groups_.end(), oldest = groups_.end();
  for (auto group = groups_.begin(); group != groups_.end(); ++group) {
    if (oldest == groups_.end() || group->second.last_use < oldest->second.last_use) oldest = group;
    if (group->second.by_frame.size() > 1 &&
        (largest == groups_.end() || group->second.bytes > largest->second.bytes))
      largest = group;
  }
  if (largest == groups_.end()) {
    if (groups_.size() < 2) return false;
    remove(oldest, oldest->second.by_frame.begin());
    return true;
  }
  auto& entries = largest->second.by_frame;
  auto victim = entries.end();
  int64_t smallest_gap = INT64_MAX;
  for (auto entry = std::next(entries.begin()); entry != entries.end(); ++entry) {
    const int64_t before = std::prev(entry)->first;
    // The last one has no successor: it counts as if it had one at the distance of its predecessor.
    const int64_t after =
        std::next(entry) == entries.end() ? 2 * entry->first - before : std::next(entry)->first;
    if (after - before < smallest_gap) smallest_gap = after - before, victim = entry;
  }
  remove(largest, victim);
  return true;
}

void CheckpointStore::remove(Groups::iterator group, std::map<int64_t, StageMemoryRef>::iterator entry) {
  const size_t bytes = entry->second->size_bytes();
  bytes_ -= bytes;
  group->second.bytes -= bytes;
  group->second.by_frame.erase(entry);
  if (group->second.by_frame.empty()) groups_.erase(group);
}

}  // namespace vantage
