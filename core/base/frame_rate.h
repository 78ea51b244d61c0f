// A camera's frames a second, where its setting, its file or nothing tells them.
#pragma once

namespace vantage {

// Assumed where no rate is stated: that of image sequences in FFmpeg.
inline constexpr double kUnknownFrameRate = 25;

// `own`: the project's for this camera; `stated`: the file's, or another camera's. 0 or less: not known.
inline double effective_frame_rate(double own, double stated, double otherwise = kUnknownFrameRate) {
  if (own > 0) return own;
  return stated > 0 ? stated : otherwise;
}

}  // namespace vantage
