// The parts of stages' artifacts that are kept on disk (core/pipeline/kept_frames.h): the figures in results,
// and the evidence for decisions of later stages. Pictures, indicators and voxels are not kept: a stage that
// needs them has them computed again.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/base/parameters.h"
#include "core/pipeline/artifacts.h"
#include "core/pipeline/stage.h"

namespace vantage::pipeline_detail {

// Parts of an artifact to read, each including those before it. `figures`: those in lines of results;
// `evidence`: those for the search for people and the tracker, with masks only at the samples of that search.
enum class Need : uint8_t { nothing, figures, evidence, everything };

// The parts that a stage reads of its inputs. `own_hash`: the stage's with these parameters.
Need input_need(std::string_view stage, uint64_t own_hash, const ParameterStore& parameters);

// True if all of a stage's artifact is kept, so that it equals a new one.
bool kept_whole(std::string_view stage);

// An artifact as bytes; nothing where its stage's artifacts are not kept, or it is in a device's memory.
// `shell`: of the volume also the IDs of its shell.
Result<std::optional<std::string>> kept_bytes(std::string_view stage, const Artifact& artifact, bool shell);

// Reads kept artifacts. Not thread-safe.
class KeptReader {
 public:
  // An artifact that holds what is needed; null where the bytes hold less, or are damaged.
  ArtifactRef read(std::string_view stage, std::string_view bytes, Need need, bool shell);

 private:
  ArtifactRef read_foreground(ByteReader* from, Need need);
  Result<Image> empty_mask(int width, int height);

  std::map<std::pair<int, int>, Image> empty_masks_;  // keyed by width and height
};

}  // namespace vantage::pipeline_detail

namespace vantage {

// Artifacts kept for reuse, keyed by (frame, stage, version), bounded by bytes: the least recently used is
// dropped first. Thread-safe.

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
  void set_max_bytes(size_t max_bytes);  // drops what exceeds the bound

 private:
  struct Entry {
    ArtifactKey key;
    ArtifactRef artifact;
    size_t bytes;
  };
  // The caller releases the dropped artifacts outside the lock: freeing device memory may take time.
  void remove(std::list<Entry>::iterator entry, std::list<Entry>* dropped);

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::map<ArtifactKey, std::list<Entry>::iterator> index_;
  size_t bytes_ = 0;
  size_t max_bytes_;
};

}  // namespace vantage
