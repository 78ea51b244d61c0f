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
#pragma once

#include <vector>

#include "core/sync/sync.h"

namespace vantage::sync_detail {

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

}  // namespace vantage::sync_detail
