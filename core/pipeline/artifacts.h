// The artifact of each stage and all artifacts of a frame. size_bytes() and finish() are defined in the
// stage's file.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/threads.h"
#include "core/carving/carving.h"
#include "core/detections/detections.h"
#include "core/foreground/foreground.h"
#include "core/fusion/fusion.h"
#include "core/height_map/heads.h"
#include "core/optical_flow/optical_flow.h"
#include "core/people/floor_person.h"
#include "core/people/occupancy/floor_map.h"
#include "core/people/people.h"
#include "core/people/skeletons/skeletons.h"
#include "core/pipeline/stage.h"
#include "core/primitives/nms_rule.h"
#include "core/tracking/tracker.h"
#include "core/video/frame_source.h"

namespace vantage {

// The chain's data from optical flow. Plain data: files that must not include Eigen include this header.

struct CameraFlow {
  FlowField field;            // in host memory; empty: no two successive pictures
  int64_t camera_frames = 1;  // between the two pictures, in this camera's frames
};

// A person's motion (core/pipeline/detail/person_motion.h).
struct PersonMotion {
  std::array<double, 3> velocity_m_per_s = {0, 0, 0};
  double scatter_m_per_s = 0;  // weighted root mean square of one component of the points about it
  int cameras = 0;             // number that contributed
  int points = 0;
};

// The stages' names, in the order of the chain.
inline constexpr std::string_view kVideoStage = "video";
inline constexpr std::string_view kDetectionsStage = "detections";
inline constexpr std::string_view kForegroundStage = "foreground";
inline constexpr std::string_view kFlowStage = "flow";
inline constexpr std::string_view kCarvingStage = "carving";
inline constexpr std::string_view kFloorStage = "floor";
inline constexpr std::string_view kPeopleStage = "people";
inline constexpr std::string_view kTrackingStage = "tracking";
inline constexpr std::string_view kMotionStage = "motion";
inline constexpr std::string_view kAppearanceStage = "appearance";
inline constexpr std::string_view kSkeletonsStage = "skeletons";
inline constexpr std::string_view kHeightMapStage = "heightmap";
inline constexpr std::string_view kHeadsStage = "heads";
inline constexpr std::string_view kJoinedHeadsStage = "joined_heads";
inline constexpr std::string_view kDisplayStage = "display";

struct FrameSetArtifact final : Artifact {
  FrameSet frames;
  size_t size_bytes() const override;
};

// Absent where the project has neither a model nor files, or detections.enabled is off.
struct DetectionsArtifact final : Artifact {
  bool present = false;
  std::vector<CameraDetections> cameras;  // one for each camera
  size_t size_bytes() const override;
};

struct ForegroundArtifact final : Artifact {
  std::vector<ForegroundImages> cameras;  // empty images where the camera has no frame
  // The masks in host memory, one per camera, copied at the first request.
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

// The people of a frame, before tracking.
struct PeopleArtifact final : Artifact {
  PeopleFound found;
  int cameras = 0, without_picture = 0;
  double covered_share = 0;  // share of the floor map seen by enough cameras with a picture of this frame
  std::string stopped_at;    // one sentence on how the search ended, if no one was found
  // False: the people are unknown, since too few cameras have detections of this frame; tracks wait.
  bool looked = true;
  std::vector<FusedPerson> fused;  // with people.source = fused: one per person of `found`, in order
  bool count_known() const { return covered_share > 0; }
  size_t size_bytes() const override;
};

// A person found before the frame, at the position that the track predicts.
struct CarriedPerson {
  TrackedPerson track;
  double confidence = 0;  // 0 to 1; decreases with the time since they were found
};

struct TracksArtifact final : Artifact {
  std::vector<TrackedPerson> tracked;  // one per person of PeopleArtifact, in order
  // People of a frame that no detector examined: those found last, moved along their tracks. Nothing: that is
  // too long ago, and the people are unknown.
  std::optional<std::vector<CarriedPerson>> carried;
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
  std::vector<std::optional<PersonMotion>> people;  // one per person of PeopleArtifact, in order
  size_t size_bytes() const override;
};

// Empty unless appearance.enabled is on, or paths need them of that frame (paths.return_s).
struct AppearanceArtifact final : Artifact {
  std::vector<std::vector<BodyColor>> people;  // one per person of PeopleArtifact, in order
  size_t size_bytes() const override;
};

// Empty unless skeletons.enabled is on and people come from detections.
struct SkeletonsArtifact final : Artifact {
  std::vector<PersonSkeleton> people;  // one per person of PeopleArtifact, in order
  size_t size_bytes() const override;
};

// A head that several cameras see: its centre.
struct SceneHead {
  double x_m = 0, y_m = 0, z_m = 0;
  int views = 0;
  double distance_m = 0;  // root mean square distance to the rays of its views
};

// Empty unless heads.enabled is on.
struct HeadsArtifact final : Artifact {
  bool searched = false;
  std::vector<std::vector<Detection>> cameras;  // boxes in each camera's picture, best first
  std::vector<SceneHead> heads;                 // only with calibrations
  size_t size_bytes() const override;
};

// The partners of a height map's head; indices, -1: none.
struct JoinedHead {
  int person = -1;    // the person of PeopleArtifact below, within 0.5 m on the floor
  int detected = -1;  // the same head among HeadsArtifact's, within 0.25 m
};

struct JoinedHeadsArtifact final : Artifact {
  std::vector<JoinedHead> joined;  // one per head of the height map, in order
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

// The artifacts of one frame, by stage; null for stages that made none or are not inputs. Reference-counted:
// a copy shares them.
struct FrameArtifacts {
  std::shared_ptr<const FrameSetArtifact> video;
  std::shared_ptr<const DetectionsArtifact> detections;
  std::shared_ptr<const ForegroundArtifact> foreground;
  std::shared_ptr<const FlowArtifact> flow;
  std::shared_ptr<const VolumeArtifact> carving;
  std::shared_ptr<const FloorMapArtifact> floor;
  std::shared_ptr<const PeopleArtifact> people;
  std::shared_ptr<const TracksArtifact> tracking;
  std::shared_ptr<const MotionArtifact> motion;
  std::shared_ptr<const AppearanceArtifact> appearance;
  std::shared_ptr<const SkeletonsArtifact> skeletons;
  std::shared_ptr<const HeightMapArtifact> heightmap;
  std::shared_ptr<const HeadsArtifact> heads;
  std::shared_ptr<const JoinedHeadsArtifact> joined_heads;
  std::shared_ptr<const DisplayArtifact> display;
};

template <typename A>
std::type_identity<A> artifact_of(std::shared_ptr<const A> FrameArtifacts::* member);

// A stage whose artifact is that member of a frame's: StageOf<&FrameArtifacts::people>.
template <auto Member>
class StageOf : public Stage {
 public:
  using Made = std::shared_ptr<const typename decltype(artifact_of(Member))::type>;

  // As Stage::run().
  virtual Result<Made> process(int64_t frame, const FrameArtifacts& inputs) = 0;

  Result<ArtifactRef> run(int64_t frame, const FrameArtifacts& inputs) final {
    VANTAGE_ASSIGN(Made made, process(frame, inputs));
    return made;
  }
  void put(ArtifactRef made, FrameArtifacts* artifacts) const final {
    artifacts->*Member = std::static_pointer_cast<typename Made::element_type>(std::move(made));
  }
};

}  // namespace vantage
