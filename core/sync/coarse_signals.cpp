#include "core/sync/coarse_signals.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vantage {

LineSignals sound_signals(std::span<const float> samples, int sample_rate) {
  // Differences between samples: the hum below some hundred hertz says little.
  constexpr double kSilence = 1e-8;
  LineSignals signals;
  signals.lines = 1;
  const double step = sample_rate / kSoundSignals_hz;
  for (int64_t t = 0;; ++t) {
    const auto begin = static_cast<size_t>(std::llround(static_cast<double>(t) * step));
    const auto end = static_cast<size_t>(std::llround(static_cast<double>(t + 1) * step));
    if (end >= samples.size() || end <= begin) return signals;
    double power = 0;
    for (size_t i = begin; i < end; ++i) {
      const double change = static_cast<double>(samples[i + 1]) - samples[i];
      power += change * change / static_cast<double>(end - begin);
    }
    signals.values.push_back(static_cast<float>(std::log(power + kSilence)));
    signals.valid.push_back(1);
  }
}

LineSignals resample_signals(const LineSignals& signals, double step) {
  LineSignals out;
  out.lines = signals.lines;
  for (int64_t m = 0;; ++m) {
    const double at = static_cast<double>(m) * step;
    const auto before = static_cast<int64_t>(at);
    if (before + 1 >= signals.frames()) return out;
    const auto share = static_cast<float>(at - static_cast<double>(before));
    const float *a = signals.frame(before), *b = signals.frame(before + 1);
    for (int r = 0; r < signals.lines; ++r) out.values.push_back(a[r] + share * (b[r] - a[r]));
    out.valid.push_back(signals.valid[static_cast<size_t>(before)] &
                        signals.valid[static_cast<size_t>(before + 1)]);
  }
}

Result<CameraAlignment> alignment_from_marks(std::span<const MarkedInstant> marks, double rate_ratio,
                                             double base_frame_rate) {
  if (marks.empty()) return fail(ErrorKind::invalid_argument, "no instant is marked", "synchronisation");
  double mean_base = 0, mean_frame = 0;
  for (const MarkedInstant& mark : marks) {
    mean_base += mark.base_frame / static_cast<double>(marks.size());
    mean_frame += mark.frame / static_cast<double>(marks.size());
  }
  double product = 0, square = 0;
  for (const MarkedInstant& mark : marks) {
    product += (mark.base_frame - mean_base) * (mark.frame - mean_frame);
    square += (mark.base_frame - mean_base) * (mark.base_frame - mean_base);
  }
  CameraAlignment camera;
  double slope = rate_ratio;
  if (marks.size() > 1) {
    const auto [low, high] = std::minmax_element(
        marks.begin(), marks.end(),
        [](const MarkedInstant& a, const MarkedInstant& b) { return a.base_frame < b.base_frame; });
    if (high->base_frame - low->base_frame >= kDriftFrom_s * base_frame_rate) {
      slope = product / square;
      camera.drift_ppm = 1e6 * (slope / rate_ratio - 1);
    }
  }
  camera.offset_frames = mean_frame - slope * mean_base;
  camera.confidence = 1;
  return camera;
}

}  // namespace vantage
