#include "core/pipeline/detail/artifact_cache.h"

namespace vantage {

ArtifactRef ArtifactCache::find(const ArtifactKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->artifact;
}

void ArtifactCache::put(const ArtifactKey& key, ArtifactRef artifact) {
  const size_t bytes = artifact->size_bytes();
  std::list<Entry> dropped;
  const std::lock_guard lock(mutex_);
  if (bytes > max_bytes_) return;
  if (const auto found = index_.find(key); found != index_.end()) remove(found->second, &dropped);
  while (bytes_ + bytes > max_bytes_) remove(std::prev(entries_.end()), &dropped);
  entries_.push_front({key, std::move(artifact), bytes});
  index_[key] = entries_.begin();
  bytes_ += bytes;
}

void ArtifactCache::erase(const ArtifactKey& key) {
  std::list<Entry> dropped;
  const std::lock_guard lock(mutex_);
  if (const auto found = index_.find(key); found != index_.end()) remove(found->second, &dropped);
}

void ArtifactCache::restate(size_t stage, uint64_t from, uint64_t to, int64_t first_changed) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    ArtifactKey key = entry->key;
    if (key.stage != stage || key.version != from || key.frame >= first_changed) continue;
    key.version = to;
    if (index_.contains(key)) continue;
    index_.erase(entry->key);
    index_[key] = entry;
    entry->key = key;
  }
}

size_t ArtifactCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void ArtifactCache::set_max_bytes(size_t max_bytes) {
  std::list<Entry> dropped;
  const std::lock_guard lock(mutex_);
  max_bytes_ = max_bytes;
  while (bytes_ > max_bytes_) remove(std::prev(entries_.end()), &dropped);
}

void ArtifactCache::remove(std::list<Entry>::iterator entry, std::list<Entry>* dropped) {
  bytes_ -= entry->bytes;
  index_.erase(entry->key);
  dropped->splice(dropped->end(), entries_, entry);
}

}  // namespace vantage
