// The rendered scene: a room, a light, people on their paths and the cameras around them. Made from options
// and seed alone.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/camera.h"
#include "core/synth/detail/body.h"
#include "core/synth/detail/scenery.h"
#include "core/synth/detail/walk.h"
#include "core/synth/synth.h"

namespace vantage::synth {

// Times of each camera's frames. The world's time 0 is frame 0 of the base camera, cam1. As for
// `cameras[].offset_frames` of the project, frame offset_c of camera c is simultaneous with the base's frame
// 0, and it takes 1 + drift_c / 10^6 frames for each of the base's. Dropped frames are missing in the file,
// as with recorders that do not note their losses.

// Number of frames missing before this frame of the file.
struct DroppedFrames {
  int64_t before_frame = 0;
  int64_t count = 0;
};

class CameraClock {
 public:
  CameraClock(double offset_frames, double drift_ppm, double frame_rate, int64_t ticks,
              std::vector<DroppedFrames> drops);

  double offset_frames() const { return offset_frames_; }
  double drift_ppm() const { return drift_ppm_; }
  const std::vector<DroppedFrames>& drops() const { return drops_; }
  int64_t frame_count() const { return frame_count_; }  // of the file
  // Frames a second, as the base's clock counts seconds.
  double true_frame_rate() const { return true_frame_rate_; }
  // Time at which frame `frame` of the file was taken, in seconds from frame 0 of the base.
  double time_s(int64_t frame) const;

 private:
  double offset_frames_, drift_ppm_, true_frame_rate_;
  std::vector<DroppedFrames> drops_;  // in order
  int64_t frame_count_;
};

// Minimum distance of two bursts of dropped frames of a camera, and of one from both ends.
inline constexpr double drop_distance_s = 5;

// One for each camera. Fails where the lists of the options do not fit the cameras or the length.
Result<std::vector<CameraClock>> make_clocks(const SynthOptions& options);

struct Room {
  float half_side_m = 5;  // walls at x and y = +-half_side_m
  float height_m = 3.6f;
  uint32_t salt = 0;  // varies its textures
};

// A distant lamp and the light that comes from everywhere.
struct Light {
  Eigen::Vector3f towards = {0.47f, -0.30f, 0.83f};  // unit length after make_scene()
  Color key = {1.00f, 0.93f, 0.82f};
  Color sky = {0.46f, 0.50f, 0.56f};     // on what faces up
  Color bounce = {0.30f, 0.26f, 0.22f};  // on what faces down
};

struct Scene {
  SynthOptions options;
  Room room;
  Light light;
  std::vector<PersonLook> looks;
  WalkPlan walk;
  Scenery scenery;
  std::vector<Camera> cameras;      // cam1 ... camN
  std::vector<CameraClock> clocks;  // one for each camera
  double start_s = 0;               // time of the first of all frames, at most 0: the walk begins here

  int64_t frame_count() const { return clocks.front().frame_count(); }  // of the base
  double time_s(int64_t frame) const { return clocks.front().time_s(frame); }
  WalkState walk_state(size_t person, double time_s) const {
    return walk.at(static_cast<int>(person), time_s - start_s);
  }
};

// Fails on options out of range, naming the option.
Result<Scene> make_scene(const SynthOptions& options);

// The bump of a camera; null: it has none.
const Bump* bump_of(const SynthOptions& options, int camera);
// The scene with the cameras' poses after their bumps.
Result<Scene> scene_after_bumps(const Scene& scene);

// Bodies of all people at an instant. They point into the scene's looks.
std::vector<Body> pose_people(const Scene& scene, double time_s);

// Bodies of people, followed by other changing things; before the walk begins only the latter.
std::vector<Body> pose_all(const Scene& scene, double time_s);

}  // namespace vantage::synth
