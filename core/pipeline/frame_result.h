// What the chain made of one frame: an immutable bundle of artifacts for views, exports and the server.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/deferred.h"
#include "core/base/floor_person.h"
#include "core/carving/carving.h"
#include "core/detections/detections.h"
#include "core/foreground/foreground.h"
#include "core/fusion/fusion.h"
#include "core/height_map/heads.h"
#include "core/occupancy/floor_map.h"
#include "core/pipeline/flow_data.h"
#include "core/pipeline/stage.h"
#include "core/primitives/nms_rule.h"
#include "core/tracking/people.h"
#include "core/tracking/tracker.h"
#include "core/video/frame_set.h"

namespace vantage {

// The stages' names, in the order of the chain.
inline constexpr std::string_view kVideoStage = "video";
inline constexpr std::string_view kDetectionsStage = "detections";
inline constexpr std::string_view kForegroundStage = "foreground";
inline constexpr std::string_view kCarvingStage = "carving";
inline constexpr std::string_view kFloorStage = "floor";
inline constexpr std::string_view kPeopleStage = "people";
inline constexpr std::string_view kTrackingStage = "tracking";
inline constexpr std::string_view kHeightMapStage = "heightmap";
inline constexpr std::string_view kFlowStage = "flow";
inline constexpr std::string_view kMotionStage = "motion";
inline constexpr std::string_view kHeadsStage = "heads";
inline constexpr std::string_view kJoinedHeadsStage = "joined_heads";
inline constexpr std::string_view kAppearanceStage = "appearance";
inline constexpr std::string_view kDisplayStage =
    "display";  // only where the window cannot read the device's memory

struct FrameSetArtifact final : Artifact {
  FrameSet frames;
  size_t size_bytes() const override;
};

// Not present where the project names neither a model nor files, or detections.enabled is off.
struct DetectionsArtifact final : Artifact {
  bool present = false;
  std::vector<CameraDetections> cameras;  // one for each camera
  size_t size_bytes() const override;
};

struct ForegroundArtifact final : Artifact {
  std::vector<ForegroundImages> cameras;  // empty images where the camera has no frame
  // The masks in host memory, one a camera, brought there for the first who asks.
  Deferred<std::vector<Image>> host_masks;
  size_t size_bytes() const override;
  Status finish() const override;
};

struct VolumeArtifact final : Artifact {
  CarvedVolume volume;
  size_t size_bytes() const override;
  Status finish() const override;
};

struct FloorMapArtifact final : Artifact {
  FloorMap map;  // in host memory
  size_t size_bytes() const override;
};

// Who stands where, before anybody is followed.
struct PeopleArtifact final : Artifact {
  PeopleFound found;
  int cameras = 0, without_picture = 0;
  double covered_share = 0;  // of the floor map: seen by enough cameras that have a picture of this frame
  std::string stopped_at;    // when nobody was found: where it stopped, one sentence
  // False: nobody is known to be there or not, since too few cameras have detections of this frame; tracks
  // wait.
  bool looked = true;
  std::vector<FusedPerson>
      fused;  // with people.source = fused: one for each of found's people, in their order
  bool count_known() const { return covered_share > 0; }
  size_t size_bytes() const override;
};

struct TracksArtifact final : Artifact {
  std::vector<TrackedDetection> tracked;  // one for each of PeopleArtifact's people, in their order
  size_t size_bytes() const override;
};

// Empty unless heightmap.enabled is on and the reference camera has a picture.
struct HeightMapArtifact final : Artifact {
  HeightEstimate estimate;
  size_t size_bytes() const override;
};

// Empty unless flow.enabled is on. In host memory.
struct FlowArtifact final : Artifact {
  std::vector<CameraFlow> cameras;
  size_t size_bytes() const override;
};

// Empty where there is no flow.
struct MotionArtifact final : Artifact {
  std::vector<std::optional<PersonMotion>> people;  // one for each of PeopleArtifact's people, in their order
  size_t size_bytes() const override;
};

// Empty unless appearance.enabled is on.
struct AppearanceArtifact final : Artifact {
  std::vector<std::vector<BodyColor>> people;  // one for each of PeopleArtifact's people, in their order
  size_t size_bytes() const override;
};

// A head that several cameras see: its centre, and the index of the person below it, -1: nobody.
struct SceneHead {
  double x_m = 0, y_m = 0, z_m = 0;
  int views = 0;
  double distance_m = 0;  // root mean square, to the rays of its views
  int person = -1;
};

// Empty unless heads.enabled is on.
struct HeadsArtifact final : Artifact {
  bool searched = false;
  std::vector<std::vector<Detection>> cameras;  // boxes in each camera's picture, the best first
  std::vector<SceneHead> heads;                 // only with calibrations
  size_t size_bytes() const override;
};

// Indices, -1: nobody, none.
struct JoinedHead {
  int person = -1;    // of PeopleArtifact's people: who stands below, within 0.5 m across the floor
  int detected = -1;  // of HeadsArtifact's heads: the same head, within 0.25 m
};

struct JoinedHeadsArtifact final : Artifact {
  std::vector<JoinedHead> joined;  // one for each of the height map's heads, in their order
  size_t size_bytes() const override;
};

// Host copies for a window whose OpenGL runs on another device than the chain.
struct DisplayArtifact final : Artifact {
  std::vector<Picture> pictures;
  std::vector<Image> indicators;
  Image shell_ids;  // the first shell_count are valid
  int64_t shell_count = 0;
  size_t size_bytes() const override;
};

struct FrameResult {
  int64_t frame = -1;
  // Computed with a stage memory that is not exactly this project's (a checkpoint of another version): to be
  // looked at, never saved.
  bool preview = false;
  std::map<std::string, ArtifactRef, std::less<>> artifacts;
  std::map<std::string, uint64_t, std::less<>> versions;

  template <typename A>
  const A* get(std::string_view stage) const {
    const auto found = artifacts.find(stage);
    return found == artifacts.end() ? nullptr : dynamic_cast<const A*>(found->second.get());
  }
  const FrameSet* frames() const {
    const auto* a = get<FrameSetArtifact>(kVideoStage);
    return a ? &a->frames : nullptr;
  }
  // Null where there are none.
  const DetectionsArtifact* detections() const {
    const auto* a = get<DetectionsArtifact>(kDetectionsStage);
    return a && a->present ? a : nullptr;
  }
  const ForegroundArtifact* foreground() const { return get<ForegroundArtifact>(kForegroundStage); }
  const CarvedVolume* volume() const {
    const auto* a = get<VolumeArtifact>(kCarvingStage);
    return a ? &a->volume : nullptr;
  }
  const FloorMap* floor_map() const {
    const auto* a = get<FloorMapArtifact>(kFloorStage);
    return a ? &a->map : nullptr;
  }
  const PeopleArtifact* people() const { return get<PeopleArtifact>(kPeopleStage); }
  const TracksArtifact* tracks() const { return get<TracksArtifact>(kTrackingStage); }
  // Null where there is no map.
  const HeightEstimate* height_map() const {
    const auto* a = get<HeightMapArtifact>(kHeightMapStage);
    return a && a->estimate.map ? &a->estimate : nullptr;
  }
  // Null where no flow was estimated.
  const FlowArtifact* flow() const {
    const auto* a = get<FlowArtifact>(kFlowStage);
    return a && !a->cameras.empty() ? a : nullptr;
  }
  const MotionArtifact* motion() const {
    const auto* a = get<MotionArtifact>(kMotionStage);
    return a && !a->people.empty() ? a : nullptr;
  }
  const JoinedHeadsArtifact* joined_heads() const { return get<JoinedHeadsArtifact>(kJoinedHeadsStage); }
  // Null where no colours were measured.
  const AppearanceArtifact* appearance() const {
    const auto* a = get<AppearanceArtifact>(kAppearanceStage);
    return a && !a->people.empty() ? a : nullptr;
  }
  // Null where no heads were looked for.
  const HeadsArtifact* heads() const {
    const auto* a = get<HeadsArtifact>(kHeadsStage);
    return a && a->searched ? a : nullptr;
  }
  const DisplayArtifact* display() const { return get<DisplayArtifact>(kDisplayStage); }
};
using FrameResultRef = std::shared_ptr<const FrameResult>;

}  // namespace vantage
