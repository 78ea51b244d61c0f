// The chain's result for one frame, for views, exports and the server. Immutable once it is handed out.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "core/pipeline/artifacts.h"

namespace vantage {

struct FrameResult {
  int64_t frame = -1;
  // Computed with a stage memory that is not exactly this project's (a checkpoint of another version): for
  // display only, never saved.
  bool preview = false;
  FrameArtifacts artifacts;
  std::map<std::string, uint64_t, std::less<>> versions;

  // Null where there is none.
  const FrameSet* frames() const { return artifacts.video ? &artifacts.video->frames : nullptr; }
  const DetectionsArtifact* detections() const {
    return artifacts.detections && artifacts.detections->present ? artifacts.detections.get() : nullptr;
  }
  const ForegroundArtifact* foreground() const { return artifacts.foreground.get(); }
  const CarvedVolume* volume() const { return artifacts.carving ? &artifacts.carving->volume : nullptr; }
  const FloorMap* floor_map() const { return artifacts.floor ? &artifacts.floor->map : nullptr; }
  const PeopleArtifact* people() const { return artifacts.people.get(); }
  const TracksArtifact* tracks() const { return artifacts.tracking.get(); }
  // Null where there is no map.
  const HeightEstimate* height_map() const {
    return artifacts.heightmap && artifacts.heightmap->estimate.map ? &artifacts.heightmap->estimate
                                                                    : nullptr;
  }
  // Null where no flow was estimated.
  const FlowArtifact* flow() const {
    return artifacts.flow && !artifacts.flow->cameras.empty() ? artifacts.flow.get() : nullptr;
  }
  const MotionArtifact* motion() const {
    return artifacts.motion && !artifacts.motion->people.empty() ? artifacts.motion.get() : nullptr;
  }
  // Null where no colours were measured.
  const AppearanceArtifact* appearance() const {
    return artifacts.appearance && !artifacts.appearance->people.empty() ? artifacts.appearance.get()
                                                                         : nullptr;
  }
  // Null where no joints were joined.
  const SkeletonsArtifact* skeletons() const {
    return artifacts.skeletons && !artifacts.skeletons->people.empty() ? artifacts.skeletons.get() : nullptr;
  }
  // Null where heads were not searched for.
  const HeadsArtifact* heads() const {
    return artifacts.heads && artifacts.heads->searched ? artifacts.heads.get() : nullptr;
  }
  const JoinedHeadsArtifact* joined_heads() const { return artifacts.joined_heads.get(); }
  const DisplayArtifact* display() const { return artifacts.display.get(); }
};
using FrameResultRef = std::shared_ptr<const FrameResult>;

// True when a frame holds its pictures and masks; false: only what disk keeps (Delivered::figures_only).

inline bool is_whole(const FrameResult& result) {
  const FrameSet* frames = result.frames();
  const ForegroundArtifact* foreground = result.foreground();
  const auto lacks_picture = [](const CameraFrame& camera) {
    return camera.camera_frame >= 0 && !camera.picture && camera.problem.empty();
  };
  const auto was_kept = [](const ForegroundImages& images) { return images.mask && !images.indicator; };
  return frames && std::none_of(frames->cameras.begin(), frames->cameras.end(), lacks_picture) &&
         !(foreground && std::any_of(foreground->cameras.begin(), foreground->cameras.end(), was_kept));
}

}  // namespace vantage
