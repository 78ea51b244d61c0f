// The frames that a check examines: a few of each camera, decoded and segmented.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads.h"
#include "core/check/view_jump.h"
#include "core/foreground/camera_shake.h"
#include "core/foreground/scene.h"
#include "core/image/backend/registry.h"
#include "core/project/project.h"
#include "core/project/span_footage.h"
#include "core/video/video_source.h"

namespace vantage {

struct CameraSample {
  VideoInfo info;
  std::string error;    // why the video or its empty-scene clip cannot be used; empty: it can
  int64_t decoded = 0;  // requested frames that were decoded completely
  int64_t asked = 0;
  std::string problem;  // describes a damaged or missing frame
  int64_t problem_frame = -1;
  std::vector<Image> masks;          // one per instant; empty: none
  std::vector<TimedView> views;      // only frames that were decoded completely
  bool clip = false;                 // the empty scene comes from the camera's clip
  bool brief = false;                // as SampleOptions
  int64_t learnt = 0;                // number of pictures that were learnt as the empty scene
  std::optional<LearntScene> scene;  // nothing unless it was learnt from the whole recording
  double shake_px = 0;               // maximum shift of a learnt picture from rest
  double changed_share =
      0;                   // share of the picture that has changed since the clip and is taken for the scene
  double moved_share = 0;  // share of the picture whose brightness changed while it was learnt
  double seconds_per_frame = 0;  // decoding and segmenting
};

// Range of a pixel's brightness over several pictures, to detect motion.
class BrightnessSpan {
 public:
  // `steady`: pictures of a camera that shakes are aligned with the first one
  // (core/foreground/camera_shake.h), since only motion in the scene counts.
  explicit BrightnessSpan(bool steady, IgnoredRegions ignored = {})
      : steady_(steady), ignored_(std::move(ignored)) {}

  // Pictures are in host memory and of one size; others are ignored.
  void add(const Picture& picture);
  // Share of the picture whose brightness range exceeds kMovedLevels; none of it in ignored regions.
  double moved_share() const;
  static constexpr int kMovedLevels = 32;  // 8-bit steps: above a camera's noise and a codec's

 private:
  Picture brought_back(const Picture& picture);

  bool steady_;
  IgnoredRegions ignored_;
  std::shared_ptr<const RestView> rest_;
  int width_ = 0, height_ = 0;
  int border_px_ = 0;  // width of the border that lay outside an aligned picture and is unknown
  std::vector<uint8_t> darkest_, brightest_;
};

// Share of the picture that is foreground in all masks; 0 with fewer than kStayingMasks of them.
inline constexpr int kStayingMasks = 3;
double staying_share(const std::vector<Image>& masks);

// Frames to examine, spread over the recording.
std::vector<int64_t> sample_moments(int64_t frame_count, int count);
// The same of the base camera's video: fewer of large pictures, and at key frames if there are enough of
// them. `frame_count`: exact, so that seeking does not have to wait for it.
std::vector<int64_t> sample_moments(const VideoSource& base, int64_t frame_count, int count);

// The span of constant poses (ProjectCamera::later_calibrations) that is compared with its calibrations: the
// one with most instants; ties: the first.
StandingSpan checked_span(const Project& project, const std::vector<int64_t>& moments);

struct SampleOptions {
  StopSource stop;
  std::function<void()> read;  // called after the learning and after each instant; null: not counted
  // Learns from a few pictures instead of all that a run learns, without changes since a clip: a fraction of
  // the time. Masks then have at most more foreground, so accusations by them need the full check.
  bool brief = false;
};

// Reads the camera's frames at these instants of the base, and segments those of the checked span. Learns
// from the empty-scene clip, else from the camera's first frames, as a run does. The frames read depend on
// the files alone, never on timing; a stop request returns the frames read so far.
CameraSample sample_camera(const Project& project, size_t camera, double base_rate,
                           const std::vector<int64_t>& moments, const BackendRegistry& backends,
                           const SampleOptions& options);

}  // namespace vantage
