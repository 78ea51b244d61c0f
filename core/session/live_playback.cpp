#include "core/session/live_playback.h"

namespace vantage {

void LivePlayback::keep(const FrameResult& result) {
  constexpr size_t kNodes_bytes = 512;  // of maps and their keys, a set
  Kept kept{.artifacts = {}, .bytes = kNodes_bytes};
  for (const std::string_view stage : {kPeopleStage, kTrackingStage})
    if (const auto found = result.artifacts.find(stage); found != result.artifacts.end()) {
      kept.artifacts.insert(*found);
      kept.bytes += found->second->size_bytes();
    }
  kept_bytes_ += kept.bytes;
  kept_.insert_or_assign(result.frame, std::move(kept));
  for (; kept_bytes_ > kMostKept_bytes; kept_.erase(kept_.begin()))
    kept_bytes_ -= kept_.begin()->second.bytes;
}

Result<FrameResultRef> LivePlayback::frame(int64_t frame, const Project& project) {
  if (!recording_) {
    RecordingOptions options;
    options.queue_frames = 1;
    for (const ProjectCamera& camera : project.cameras)
      options.cameras.push_back({camera.name, camera.video});
    VANTAGE_ASSIGN(recording_, Recording::open(std::move(options)));
  }
  auto pictures = std::make_shared<FrameSetArtifact>();
  VANTAGE_ASSIGN(pictures->frames, recording_->read(frame));
  auto result = std::make_shared<FrameResult>();
  result->frame = frame;
  result->preview = true;
  if (const auto kept = kept_.find(frame); kept != kept_.end()) result->artifacts = kept->second.artifacts;
  result->artifacts.insert_or_assign(std::string(kVideoStage), std::move(pictures));
  return result;
}

}  // namespace vantage
