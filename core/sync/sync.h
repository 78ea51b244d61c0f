// Synchronisation of cameras from epipolar-line signatures: which frame of each camera belongs to which frame
// of the base camera. Source: D. Pundik, Y. Moses, "Video Synchronization Using Temporal Signals from
// Epipolar Lines", ECCV 2010, in the form of section 3.3.4 of the Boxer report; explanation:
// resources/docs/algorithms/synchronisation.md. S[r, t] is the sum of the foreground indicator over 512
// points of line r in frame t.
//
//   published    arg max over -c <= d <= c of
//                  log P(d) - sum over t, r of (S[r,t] - S'[r,t+d])^2 / (2 sigma^2),  the same t for every d
//   normalised   S / (S + presence) without its slow trend, z-scored per line, lines weighted by their
//                variance; likelihood  n(d) e / 2 * -log(1 - rho(d)^2),  rho: correlation over the n frames
//                that overlap, e: effective samples a frame (detail/pair.h)
//
// Offsets are frames at the base camera's rate: frame m of the base is simultaneous with frame
// offset + m (1 + drift) + (sum of the changes up to m) of the camera.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/parameters.h"
#include "core/video/offset_change.h"

namespace vantage {

enum class SyncMethod : uint8_t { normalised, published };

struct SyncParameters {
  SyncMethod method = SyncMethod::normalised;
  int lines = 96;
  int max_offset_frames = 100;  // c
  double min_confidence = 0.95;
  double trend_s = 0.8;
  double presence = 8.0;
  int window_frames = 250;
  double sigma = 3.0;
  bool adaptive_prior = false;
};
template <>
const ParameterTable& parameter_table<SyncParameters>();

// One camera's signals for one pair, frame by frame.
struct LineSignals {
  int lines = 0;
  std::vector<float> values;   // [frame][line]; points of the line that are foreground, 0 to 512
  std::vector<uint8_t> valid;  // [frame]; 0: the camera had no picture, or nothing to compare it with
  int64_t frames() const { return static_cast<int64_t>(valid.size()); }
  const float* frame(int64_t t) const {
    return values.data() + static_cast<size_t>(t) * static_cast<size_t>(lines);
  }
};

struct PairSignals {
  int first = 0, second = 0;  // cameras
  LineSignals a, b;           // of the first and the second, lines in the same order
  std::string impossible;     // not empty: why the pair cannot be compared (too little overlap)
  // Lags to look at: frame t of `first` against frame t + lag of `second`.
  int lowest_lag = 0, highest_lag = 0;
};

struct PairEstimate {
  int first = 0, second = 0;
  std::optional<double> offset_frames;  // nothing: abstains, see `reason`
  std::string reason;
  double sigma_frames = 0;  // of the offset
  double confidence = 0;    // probability of the offset, 0 to 1
  double score = 0;        // the peak's share of this pair's likelihood over its lags, 0 to 1: no probability
  double peak = 0;         // correlation there; published: 1
  double second_peak = 0;  // the highest elsewhere
  double width_frames = 0;  // of the peak, where it has fallen by half
  double effective_samples = 0;
  int active_lines = 0;
  double residual_frames = 0;  // against the other pairs, once reconciled
  bool used = false;           // agrees with them
  int curve_lag = 0;           // lag of curve[0]
  std::vector<float> curve;    // correlation (normalised) or log-likelihood (published) over the lags
};

// The offset of a camera at the end of its recording. Before the last seconds it was that of the whole
// recording; in them it may have lost or gained frames once more, which the alignment of the whole recording
// shows only later.
struct LatestOffset {
  double offset_frames = 0;  // at the end: the camera's frame less the base's
  int changed_frames = 0;    // of it in the last seconds; 0: nothing changed
  int64_t since = 0;         // the base frame of that change
  double probability = 0;    // of exactly this change against every other and none
  double near = 0;           // of this change or one by a frame more or less
  double changed = 0;        // probability of any change
};

// Base frames, the end excluded; none where begin >= end.
struct VouchedFrames {
  int64_t begin = 0, end = 0;
};

struct CameraAlignment {
  std::optional<double> offset_frames;  // nothing: abstains, see `reason`
  std::string reason;
  double drift_ppm = 0;
  double sigma_frames = 0;
  double confidence = 0;
  std::vector<OffsetChange> changes;
  // Followed alone: where the footage excludes that the camera, or the base, lost frames other than
  // `changes`.
  std::optional<VouchedFrames> vouched;
  std::optional<LatestOffset> latest;  // as EstimateOptions::latest_s asks for
};

struct SyncEstimate {
  int base = 0;
  std::vector<CameraAlignment> cameras;
  std::vector<PairEstimate> pairs;
};

// The camera's frame for the base's frame m.
double aligned_frame(const CameraAlignment& camera, double base_frame);

struct EstimateOptions {
  int cameras = 0;
  int base = 0;
  double frame_rate = 25;     // frames/s of the signals
  bool follow = true;         // drift and dropped frames; false: one offset a pair
  double latest_s = 0;        // followed: CameraAlignment::latest over the last so many seconds; 0: none
  double quiet_level = 0.02;  // a line whose signal deviates less, as it is compared, counts as quiet
};

// Every pair, then all of them together.
SyncEstimate estimate_alignment(const std::vector<PairSignals>& pairs, const SyncParameters& parameters,
                                const EstimateOptions& options);

}  // namespace vantage
