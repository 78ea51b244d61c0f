#include "core/session/detail/live_playback.h"

#include <utility>

namespace vantage {
namespace {

std::shared_ptr<const FrameSetArtifact> without_pictures(const FrameSetArtifact& video) {
  auto bare = std::make_shared<FrameSetArtifact>(video);
  for (CameraFrame& camera : bare->frames.cameras) camera.picture = {};
  return bare;
}

// All but what takes much memory.
FrameArtifacts light_artifacts(const FrameArtifacts& all) {
  FrameArtifacts light;
  if (all.video) light.video = without_pictures(*all.video);
  light.detections = all.detections, light.people = all.people, light.tracking = all.tracking;
  light.motion = all.motion, light.appearance = all.appearance, light.skeletons = all.skeletons;
  light.heads = all.heads;
  return light;
}

size_t bytes_of(const FrameArtifacts& artifacts) {
  constexpr size_t kEntry_bytes = 1024;  // of the map, the result and its versions
  size_t bytes = kEntry_bytes;
  const auto add = [&](const auto& artifact) { bytes += artifact ? artifact->size_bytes() : 0; };
  add(artifacts.video), add(artifacts.detections), add(artifacts.people), add(artifacts.tracking);
  add(artifacts.motion), add(artifacts.appearance), add(artifacts.skeletons), add(artifacts.heads);
  return bytes;
}

}  // namespace

void LivePlayback::keep(const FrameResult& result) {
  auto light = std::make_shared<FrameResult>();
  light->frame = result.frame;
  light->versions = result.versions;
  light->artifacts = light_artifacts(result.artifacts);
  Kept kept{light, bytes_of(light->artifacts)};
  kept_bytes_ += kept.bytes;
  kept_.insert_or_assign(result.frame, std::move(kept));
  for (; kept_bytes_ > kMaxKept_bytes; kept_.erase(kept_.begin())) kept_bytes_ -= kept_.begin()->second.bytes;
}

std::vector<FrameResultRef> LivePlayback::since(int64_t frame) const {
  std::vector<FrameResultRef> results;
  for (auto kept = kept_.lower_bound(frame); kept != kept_.end(); ++kept)
    results.push_back(kept->second.result);
  return results;
}

Result<FrameResultRef> LivePlayback::frame(int64_t frame, const Project& project) {
  std::unique_ptr<FrameSource>& source = sources_[project.path];
  if (!source) {
    FrameSourceOptions options;
    options.queue_frames = 1;
    for (const ProjectCamera& camera : project.cameras)
      options.cameras.push_back({camera.name, camera.video});
    VANTAGE_ASSIGN(source, FrameSource::open(std::move(options)));
  }
  auto pictures = std::make_shared<FrameSetArtifact>();
  VANTAGE_ASSIGN(pictures->frames, source->read(frame));
  auto result = std::make_shared<FrameResult>();
  result->frame = frame;
  result->preview = true;
  if (const auto kept = kept_.find(frame); kept != kept_.end())
    result->artifacts.people = kept->second.result->artifacts.people,
    result->artifacts.tracking = kept->second.result->artifacts.tracking;
  result->artifacts.video = std::move(pictures);
  return result;
}

}  // namespace vantage
