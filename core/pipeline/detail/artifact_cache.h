// Artifacts kept for reuse, keyed by (frame, stage, version), bounded by bytes: the least recently used go
// first. All functions may be called from any thread.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <tuple>

#include "core/pipeline/stage.h"

namespace vantage {

struct ArtifactKey {
  int64_t frame = 0;
  size_t stage = 0;
  uint64_t version = 0;
  bool operator<(const ArtifactKey& other) const {
    return std::tie(frame, stage, version) < std::tie(other.frame, other.stage, other.version);
  }
};

class ArtifactCache {
 public:
  explicit ArtifactCache(size_t max_bytes) : max_bytes_(max_bytes) {}

  ArtifactRef find(const ArtifactKey& key);  // null when it is not there
  // An artifact larger than the bound is not kept.
  void put(const ArtifactKey& key, ArtifactRef artifact);
  void erase(const ArtifactKey& key);
  // A stage's artifacts of frames before `first_changed` get another version.
  void restate(size_t stage, uint64_t from, uint64_t to, int64_t first_changed);
  size_t bytes() const;
  void set_max_bytes(size_t max_bytes);  // drops what is too much

 private:
  struct Entry {
    ArtifactKey key;
    ArtifactRef artifact;
    size_t bytes;
  };
  // The artifacts dropped are released by the caller, outside the lock: letting go of device memory may take
  // time.
  void remove(std::list<Entry>::iterator entry, std::list<Entry>* dropped);

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::map<ArtifactKey, std::list<Entry>::iterator> index_;
  size_t bytes_ = 0;
  size_t max_bytes_;
};

}  // namespace vantage
