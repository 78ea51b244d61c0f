#include "core/session/detail/live_playback.h"

namespace vantage {

void LivePlayback::keep(const FrameResult& result) {
  constexpr size_t kEntry_bytes = 512;  // of the map, a set
  Kept kept{.people = {}, .bytes = kEntry_bytes};
  kept.people.people = result.artifacts.people, kept.people.tracking = result.artifacts.tracking;
  if (kept.people.people) kept.bytes += kept.people.people->size_bytes();
  if (kept.people.tracking) kept.bytes += kept.people.tracking->size_bytes();
  kept_bytes_ += kept.bytes;
  kept_.insert_or_assign(result.frame, std::move(kept));
  for (; kept_bytes_ > kMaxKept_bytes; kept_.erase(kept_.begin())) kept_bytes_ -= kept_.begin()->second.bytes;
}

Result<FrameResultRef> LivePlayback::frame(int64_t frame, const Project& project) {
  if (!source_) {
    FrameSourceOptions options;
    options.queue_frames = 1;
    for (const ProjectCamera& camera : project.cameras)
      options.cameras.push_back({camera.name, camera.video});
    VANTAGE_ASSIGN(source_, FrameSource::open(std::move(options)));
  }
  auto pictures = std::make_shared<FrameSetArtifact>();
  VANTAGE_ASSIGN(pictures->frames, source_->read(frame));
  auto result = std::make_shared<FrameResult>();
  result->frame = frame;
  result->preview = true;
  if (const auto kept = kept_.find(frame); kept != kept_.end()) result->artifacts = kept->second.people;
  result->artifacts.video = std::move(pictures);
  return result;
}

}  // namespace vantage
