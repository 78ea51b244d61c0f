// One pair of cameras on its own: its lag, how the lag moves along the recording, and how sure that is; the
// reasons: resources/docs/algorithms/synchronisation.md. The path of lags over the blocks of a table is the
// most likely one (A. Viterbi, 1967) under
//
//   log L(block, lag) = e { n (-1/2 log(1 - r^2)) + [2 r C - r^2 (EA + EB)] / (2 W (1 - r^2)) }
//
// C, EA, EB the block's sums, n its frames, W the mean energy of a frame, r the correlation and e the
// effective samples a frame, from the scatter 1 / (n e) of the curve away from its peak; a step of one frame
// between blocks (drift) and a jump (dropped frames) cost a constant each. The confidence, 0 to 1, is the
// share of the peak in the likelihood over all lags,
//
//   exp(l(d)),  l(d) = n(d) e / 2 * -log(1 - rho(d)^2) for rho > 0, else 0,
//
// summed along the path, less what the path has cost; as much again as all lags have at l = 0 is "no lag".
#pragma once

#include <vector>

#include "core/sync/sync.h"

namespace vantage::sync_detail {

// The correlation sums of one pair of signals over lag and time.
//
// Each line's signal S becomes S / (S + presence), loses its slow trend (the mean over trend_frames around
// each frame) and is divided by its standard deviation; lines are weighted by the geometric mean of their
// variances in both cameras, so that a line through which much happens counts more. All lines make one vector
// a frame, x for the first camera and y for the second. For blocks of frames of the first camera and every
// lag:
//
//   product = sum of x[t] . y[t + lag],  energy_a = sum of |x[t]|^2,  energy_b = sum of |y[t + lag]|^2
//
// over the frames t where both cameras have a picture. Any correlation over a stretch of time, along any path
// of lags, is made of these.

struct LagSums {
  float product = 0, energy_a = 0, energy_b = 0, frames = 0;
  LagSums& operator+=(const LagSums& other);
  double correlation() const;  // 0 where there is nothing to correlate
};

struct LagTable {
  int lowest_lag = 0, lags = 0;
  int block_frames = 1;  // of the first camera
  int64_t frames_a = 0, frames_b = 0;
  int active_lines = 0;
  int blocks = 0;
  std::vector<LagSums> sums;  // [block][lag]

  const LagSums& at(int block, int lag) const {
    return sums[static_cast<size_t>(block) * static_cast<size_t>(lags) +
                static_cast<size_t>(lag - lowest_lag)];
  }
  bool has(int lag) const { return lag >= lowest_lag && lag < lowest_lag + lags; }
};

struct LagTableOptions {
  int trend_frames = 25;
  int block_frames = 5;
  double presence = 0;     // points; 0: the signals as they are
  double quiet_level = 0;  // deviation at and below which a line is left out
};
LagTable make_lag_table(const PairSignals& signals, const LagTableOptions& options);

struct PairPath {
  std::vector<int> lags;  // by block of the first camera
  double cost = 0;        // of its steps and jumps, nats
};

// log L of a block and lag, as above.
struct PathModel {
  double samples_a_frame = 0, constant = 0, scale = 0, r = 0, limit = 0;
  double operator()(const LagSums& s) const;
};

struct PairAnalysis {
  PairEstimate estimate;  // offset_frames: the lag at the first block
  LagTable table;
  std::optional<double> candidate;    // the offset, also of a pair that is not sure enough on its own
  std::vector<float> log_likelihood;  // l by lag, along the curve
  int lobe_begin = 0, lobe_end = 0;   // lags of the peak and its skirts
  PairPath path;
  PathModel model;
  double samples_a_frame = 0;  // e
};

struct PairOptions {
  double frame_rate = 25;
  double trend_s = 1;
  double presence = 5;
  double min_confidence = 0.95;
  double quiet_level = 0.02;
  bool follow = true;
  int min_active_lines = 3;  // fewer: the scene is too quiet
};

PairAnalysis analyse_pair(const PairSignals& signals, const PairOptions& options);

// The parabola closest to five points, the middle one the highest: where its top lies relative to the middle,
// -1 to 1, and its second derivative. Three points would follow the noise of a peak that is rather a roof.
struct Parabola {
  double top = 0, curvature = 0;
};
Parabola fit_parabola(const double (&values)[5]);

// The lag's mean over blocks [begin, end) of a path, with its fraction, from the correlation along the path
// and next to it. `sigma` is 0 where nothing can be said.
struct LagMeasure {
  double lag = 0, beside_path = 0, sigma = 0, correlation = 0;
};
LagMeasure measure_lag(const PairAnalysis& pair, const std::vector<int>& path, int begin, int end);

// The published likelihood, the path constant.
PairEstimate published_pair(const PairSignals& signals, const SyncParameters& parameters);

}  // namespace vantage::sync_detail
