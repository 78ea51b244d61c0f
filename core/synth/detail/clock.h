// When each camera takes its frames. The world's time 0 is frame 0 of the base camera, cam1. Camera c is
// described as `cameras[].offset_frames` of the project describes it: its frame offset_c is simultaneous with
// the base's frame 0, and it takes 1 + drift_c / 10^6 frames for each of the base's. With dropped frames the
// file lacks frames that the camera should have taken, as recorders do that do not note their losses.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/synth/synth.h"

namespace vantage::synth {

// So many frames are missing before this frame of the file.
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
  // When frame `frame` of the file was taken, in seconds from frame 0 of the base.
  double time_s(int64_t frame) const;

 private:
  double offset_frames_, drift_ppm_, true_frame_rate_;
  std::vector<DroppedFrames> drops_;  // in order
  int64_t frame_count_;
};

// At least so far apart, and from both ends, are two bursts of dropped frames of a camera.
inline constexpr double drop_distance_s = 5;

// One for each camera. Fails where the lists of the options do not fit the cameras or the length.
Result<std::vector<CameraClock>> make_clocks(const SynthOptions& options);

}  // namespace vantage::synth
