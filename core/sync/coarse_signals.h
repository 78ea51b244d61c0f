// Signals for a rough start, which need no calibration: how loud it is, as one line a frame (LineSignals)
// that goes into the same estimate as the lines' signals; and marks by hand. What moves: color_motion.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sync/sync.h"

namespace vantage {

inline constexpr double kSoundSignals_hz = 200;

// The logarithm of the sound's power, its slow parts taken out, kSoundSignals_hz times a second.
LineSignals sound_signals(std::span<const float> samples, int sample_rate);

// The same signals at another frame rate: frame m of the result is frame m * step of the signals, between
// frames linearly.
LineSignals resample_signals(const LineSignals& from, double step);

// An instant that a person marked in two cameras (a clap, a footfall): frame `base_frame` of the base is
// frame `frame` of the camera.
struct MarkedInstant {
  double base_frame = 0, frame = 0;
};
// Marks less than this apart say nothing about a drift: half a frame at 25 a second would be 2000 ppm.
inline constexpr double kDriftFrom_s = 10;
// One mark, or several close together, give the offset; marks far apart the drift too (least squares).
// rate_ratio: the camera's frames for each of the base's.
Result<CameraAlignment> alignment_from_marks(std::span<const MarkedInstant> marks, double rate_ratio,
                                             double base_frame_rate);

}  // namespace vantage
