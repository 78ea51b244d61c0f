// Signals for a rough start, which need no calibration: how loud it is, as one line a frame (LineSignals)
// that goes into the same estimate as the lines' signals; and marks by hand. What moves: coarse_signals.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/geometry/ignored_region.h"
#include "core/image/picture.h"
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

// Motion in a picture, by colour: all that cameras without a calibration have in common. Explanation:
// resources/docs/algorithms/synchronisation.md.
//
// The picture is averaged over cells, kCellsAcross of them side by side. Between two pictures a cell changes
// by
//
//   d = |dY - g| + |dCb| + |dCr|                g: the median of all cells' dY, what lamps and exposure do
//
// and moves where d is more than kMinChange and the same holds for three of the cells around it. What is
// beyond kMinChange, kMaxChange at most, goes to the colour before and to the colour after, shared among the
// nearest of kLumaNodes x kChromaNodes x kChromaNodes colours. A line is the logarithm of its colour's sum.
// Cells with a pixel in an ignored region do not move.

class ColorMotion {
 public:
  static constexpr int kLumaNodes = 5, kChromaNodes = 7;
  static constexpr int kLines = kLumaNodes * kChromaNodes * kChromaNodes;
  static constexpr int kCellsAcross = 160;
  static constexpr int kMinChange = 15, kMaxChange = 30;  // 8-bit steps

  explicit ColorMotion(IgnoredRegions ignored = {}) : ignored_(std::move(ignored)) {}

  // In host memory. kLines values, valid until the next call; false: there is no picture of this size to
  // compare it with, and the values say nothing.
  bool next(const Picture& picture);
  std::span<const float> lines() const { return lines_; }
  void forget() { before_.width = 0; }

 private:
  struct Cells {
    int width = 0, height = 0;
    std::vector<std::array<uint8_t, 3>> colors;  // Y', Cb, Cr
  };
  static int cell_half(const Picture& picture);
  static Cells average(const Picture& picture);
  void find_ignored(const Picture& picture, const Cells& cells);
  void find_changes(const Cells& now);
  void add(const std::array<uint8_t, 3>& color, float weight);

  IgnoredRegions ignored_;
  std::vector<uint8_t> ignored_cells_;  // of the present size; empty: none
  Cells before_;
  std::vector<int> changes_;  // by cell, beyond kMinChange
  std::array<float, kLines> lines_{};
};

}  // namespace vantage
