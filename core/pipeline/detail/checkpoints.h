// Memories of stages after some frames, from which a frame can be computed again without starting from frame
// 0. Bounded by bytes: beyond the bound checkpoints are thinned where they are closest. The first of a
// version is removed only when nothing but firsts is left, then that of the version unused longest, never the
// last version's. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/pipeline/stage.h"

namespace vantage {

struct Checkpoint {
  int64_t frame = -1;  // the memory's state is that after this frame
  uint64_t version = 0;
  StageMemoryRef memory;
};

class CheckpointStore {
 public:
  explicit CheckpointStore(size_t max_bytes) : max_bytes_(max_bytes) {}

  void put(size_t stage, Checkpoint checkpoint);
  // Checkpoints of a stage after frames before `first_changed` get another version.
  void restate(size_t stage, uint64_t from, uint64_t to, int64_t first_changed);
  bool contains(size_t stage, uint64_t version, int64_t frame) const;
  // The last one of that version at or before the frame.
  std::optional<Checkpoint> last_before(size_t stage, uint64_t version, int64_t frame);
  // The nearest one of any version; ties: the given version's.
  std::optional<Checkpoint> nearest(size_t stage, uint64_t version, int64_t frame) const;
  size_t bytes() const;
  void set_max_bytes(size_t max_bytes);  // thins beyond the bound

 private:
  struct Group {
    std::map<int64_t, StageMemoryRef> by_frame;
    size_t bytes = 0;
    uint64_t last_use = 0;
  };
  using Groups = std::map<std::pair<size_t, uint64_t>, Group>;  // keyed by stage and version
  bool thin_one();
  void remove(Groups::iterator group, std::map<int64_t, StageMemoryRef>::iterator entry);

  mutable std::mutex mutex_;
  Groups groups_;
  size_t bytes_ = 0;
  uint64_t uses_ = 0;
  size_t max_bytes_;
};

}  // namespace vantage
