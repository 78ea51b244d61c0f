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
  std::string error;    // not empty: the video, or its empty-scene clip, cannot be used; says why
  int64_t decoded = 0;  // frames asked for that came whole
  int64_t asked = 0;
  std::string problem;  // of a damaged or missing frame
  int64_t problem_frame = -1;
  std::vector<Image> masks;          // by instant; empty: none
  std::vector<TimedView> views;      // of the frames that came whole
  bool clip = false;                 // the empty scene comes from the camera's clip
  bool brief = false;                // as SampleOptions
  int64_t learnt = 0;                // pictures that were learnt as the empty scene
  std::optional<LearntScene> scene;  // where it was learnt from the whole recording
  double shake_px = 0;               // how far at most a picture that was learnt lay from rest
  double changed_share = 0;          // of the picture: what changed since the clip and is taken for the scene
  double moved_share = 0;            // of the picture: its brightness changed while they were learnt
  double seconds_per_frame = 0;      // decoding and segmenting
};

// A pixel's brightness over several pictures, to tell what moves in them.
class BrightnessSpan {
 public:
  // `steady`: pictures of a camera that shakes are brought back to where the first one looks
  // (core/foreground/camera_shake.h), since only what moves in the scene counts.
  explicit BrightnessSpan(bool steady) : steady_(steady) {}

  // In host memory, all of one size; others are left out.
  void add(const Picture& picture);
  // Share of the picture: pixels whose brightness differed by more than kMovedLevels.
  double moved_share() const;
  static constexpr int kMovedLevels = 32;  // 8-bit steps: above a camera's noise and a codec's

 private:
  Picture brought_back(const Picture& picture);

  bool steady_;
  std::shared_ptr<const RestView> rest_;
  int width_ = 0, height_ = 0;
  int border_px_ = 0;  // came from beyond a picture that was brought back: unknown
  std::vector<uint8_t> darkest_, brightest_;
};

// Share of the picture: pixels that are foreground in all of the masks, at least kStayingMasks of them; else
// 0.
inline constexpr int kStayingMasks = 3;
double staying_share(const std::vector<Image>& masks);

// Frames to look at, spread over the recording.
std::vector<int64_t> sample_moments(int64_t frame_count, int count);
// The same of the base camera's video: fewer of large pictures, and where decoding can start if there are as
// many such places. `frame_count`: exact, so that seeks have nothing to wait for.
std::vector<int64_t> sample_moments(const VideoSource& base, int64_t frame_count, int count);

// Where cameras stand otherwise later (ProjectCamera::later_calibrations), one time is compared with its
// calibrations: the one that has the most instants, the first of several.
StandingSpan checked_span(const Project& project, const std::vector<int64_t>& moments);

struct SampleOptions {
  StopSource stop;
  std::function<void()> read;  // called after the learning and after each instant; null: not counted
  // Learns from a few pictures instead of all that a run learns, and not what has changed since a clip: a
  // fraction of the time. Masks then have more foreground at most, so that what they accuse wants a closer
  // look.
  bool brief = false;
};

// Reads the camera's frames at those instants of the base, and segments those of the checked span. Learns
// from the empty-scene clip, else from the camera's first frames, as a run does. What is read depends on the
// files alone, never on the time that it takes; a stop request ends it with what it has.
CameraSample sample_camera(const Project& project, size_t camera, double base_rate,
                           const std::vector<int64_t>& moments, const BackendRegistry& backends,
                           const SampleOptions& options);

}  // namespace vantage
