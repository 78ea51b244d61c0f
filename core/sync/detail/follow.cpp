#include "core/sync/detail/follow.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/sync/detail/evidence.h"
#include "core/sync/detail/latest_offset.h"
#include "core/sync/detail/losses.h"
#include "core/sync/detail/reconcile.h"
#include "core/sync/detail/vouch.h"

namespace vantage::sync_detail {
namespace {

// A camera's offset along the recording: one line through what was measured in windows.

struct DriftPoint {
  double base_frame = 0, offset = 0, sigma = 1;
};

struct DriftLine {
  double intercept = 0, sigma = 0;  // of the intercept
  double slope = 0, slope_sigma = 0;
  double at(double base_frame) const { return intercept + slope * base_frame; }
};

DriftLine fit_level(const std::vector<DriftPoint>& points);

constexpr double kDriftSigmas = 3, kMinDriftFrames = 0.3;
constexpr int kMinDriftPoints = 3;
constexpr int kRounds = 15;
constexpr double kHuber = 1.5;

DriftLine fit_line(const std::vector<DriftPoint>& points, bool with_slope) {
  const double middle = points[points.size() / 2].base_frame;
  std::vector<double> factor(points.size(), 1.0);
  Eigen::Vector2d x;
  Eigen::Matrix2d covariance;
  double chi2 = 0;
  for (int round = 0; round < kRounds; ++round) {
    Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
    Eigen::Vector2d right = Eigen::Vector2d::Zero();
    for (size_t i = 0; i < points.size(); ++i) {
      const Eigen::Vector2d row(1, with_slope ? points[i].base_frame - middle : 0);
      const double w = factor[i] / (points[i].sigma * points[i].sigma);
      normal += w * row * row.transpose();
      right += w * points[i].offset * row;
    }
    if (!with_slope) normal(1, 1) = 1;
    covariance = normal.inverse();
    x = covariance * right;
    chi2 = 0;
    for (size_t i = 0; i < points.size(); ++i) {
      const double value = x[0] + x[1] * (points[i].base_frame - middle);
      const double z = std::abs(points[i].offset - value) / points[i].sigma;
      factor[i] = z <= kHuber ? 1.0 : kHuber / z;
      chi2 += factor[i] * z * z;
    }
  }
  const double freedom = static_cast<double>(points.size()) - (with_slope ? 2 : 1);
  const double scale = std::max(1.0, chi2 / std::max(1.0, freedom));
  DriftLine line;
  line.slope = with_slope ? x[1] : 0.0;
  line.slope_sigma = with_slope ? std::sqrt(scale * covariance(1, 1)) : 0.0;
  line.intercept = x[0] - line.slope * middle;
  line.sigma = std::sqrt(scale * covariance(0, 0));
  return line;
}

// Robust by Huber's weights: residuals beyond 1.5 sigma count less. At least one point, in the order of time.
// Level unless the slope is clearly not none.
DriftLine fit_drift(const std::vector<DriftPoint>& points) {
  const double span = points.back().base_frame - points.front().base_frame;
  if (static_cast<int>(points.size()) >= kMinDriftPoints) {
    const DriftLine line = fit_line(points, true);
    if (std::abs(line.slope) > kDriftSigmas * line.slope_sigma &&
        std::abs(line.slope) * span > kMinDriftFrames)
      return line;
  }
  return fit_level(points);
}

DriftLine fit_level(const std::vector<DriftPoint>& points) {
  return fit_line(points, false);
}

// Each camera's offset, measured in windows between jumps.
//
// The pairs' lags in a window, with their fractions, are reconciled like offsets are. A window lies in one
// stretch: what is between two jumps, but for a guard next to them.

struct Window {
  Span span;
  size_t stretch = 0;  // stretch 0 ends at jump 0
};

struct MeasuredOffset {
  DriftPoint point;
  size_t stretch = 0;
};

constexpr double kWindow_s = 6, kGuard_s = 0.4, kMinStretch_s = 1;
constexpr int kMaxWindows = 360;
constexpr double kMinStretchSigma = 0.02, kTolerance = 0.5;  // frames

// None where all stretches are too short.
std::vector<Window> make_windows(const Span& span, const std::vector<Jump>& jumps, double frame_rate) {
  std::vector<Window> windows;
  if (span.begin >= span.end) return windows;
  const double guard = kGuard_s * frame_rate;
  const double wanted = std::max(kWindow_s * frame_rate, (span.end - span.begin) / kMaxWindows);
  std::vector<double> cuts = {span.begin};
  for (const Jump& jump : jumps) cuts.push_back(jump.base_frame);
  cuts.push_back(span.end);
  for (size_t s = 0; s + 1 < cuts.size(); ++s) {
    const double begin = cuts[s] + (s > 0 ? guard : 0),
                 length = cuts[s + 1] - (s + 2 < cuts.size() ? guard : 0) - begin;
    if (length < kMinStretch_s * frame_rate) continue;
    const int count = std::max(1, static_cast<int>(length / wanted));
    for (int i = 0; i < count; ++i)
      windows.push_back({{begin + length * i / count, begin + length * (i + 1) / count}, s});
  }
  return windows;
}

// Offsets by camera, in the order of time; the base has none.
std::vector<std::vector<MeasuredOffset>> measure_offsets(const AlignedPairs& pairs,
                                                         const std::vector<Window>& windows) {
  const int base = pairs.options().base;
  std::vector<std::vector<MeasuredOffset>> measured(pairs.cameras().size());
  for (const Window& window : windows) {
    std::vector<OffsetEdge> edges;
    for (size_t p = 0; p < pairs.size(); ++p) {
      if (!pairs.usable(p)) continue;
      const LagMeasure lag = pairs.measure(p, window.span);
      if (lag.sigma > 0)
        edges.push_back({pairs[p].estimate.first, pairs[p].estimate.second, lag.lag, lag.sigma});
    }
    const auto solved = reconcile_offsets(static_cast<int>(measured.size()), base, &edges, kTolerance);
    for (size_t c = 0; c < measured.size(); ++c)
      if (solved[c] && static_cast<int>(c) != base)
        measured[c].push_back({{(window.span.begin + window.span.end) / 2, solved[c]->value,
                                std::max(kMinStretchSigma, solved[c]->sigma)},
                               window.stretch});
  }
  return measured;
}

// A camera's line of offsets with a step at each jump.

using LineFit = DriftLine (*)(const std::vector<DriftPoint>&);

// A single frame without another step is no loss.
void join_single_frames(const std::vector<Jump>& jumps, std::vector<double>* sizes) {
  const auto distance = [&](size_t i, size_t j) {
    return std::abs(jumps[i].base_frame - jumps[j].base_frame);
  };
  for (size_t i = 0; i < sizes->size(); ++i) {
    const double single = std::exchange((*sizes)[i], 0.0);
    if (std::abs(single) >= kMinJump) {
      (*sizes)[i] = single;
      continue;
    }
    size_t nearest = sizes->size();
    for (size_t j = 0; j < sizes->size(); ++j)
      if ((*sizes)[j] != 0 && (nearest == sizes->size() || distance(i, j) < distance(i, nearest)))
        nearest = j;
    if (nearest < sizes->size()) (*sizes)[nearest] += single;
  }
}

// The measured offsets without the steps.
std::vector<DriftPoint> without_steps(const std::vector<MeasuredOffset>& measured,
                                      const std::vector<double>& sizes) {
  std::vector<double> total(sizes.size() + 1, 0.0);  // by stretch
  std::partial_sum(sizes.begin(), sizes.end(), total.begin() + 1);
  std::vector<DriftPoint> points;
  for (const MeasuredOffset& m : measured)
    points.push_back({m.point.base_frame, m.point.offset - total[m.stretch], m.point.sigma});
  return points;
}

// A stretch that lies whole frames off the line was told a wrong step. True when one was.
bool mend_sizes(const std::vector<MeasuredOffset>& measured, const std::vector<DriftPoint>& points,
                const DriftLine& line, std::vector<double>* sizes) {
  std::map<size_t, std::pair<double, double>> by_stretch;  // sums of weight times residual, of weights
  for (size_t i = 0; i < points.size(); ++i) {
    const double w = 1 / (points[i].sigma * points[i].sigma);
    auto& [residuals, weights] = by_stretch[measured[i].stretch];
    residuals += w * (points[i].offset - line.at(points[i].base_frame));
    weights += w;
  }
  bool mended = false;
  for (const auto& [stretch, sums] : by_stretch) {
    const double beside = std::round(sums.first / sums.second);
    if (beside == 0 || stretch == by_stretch.begin()->first) continue;
    (*sizes)[stretch - 1] += beside;
    if (stretch < sizes->size()) (*sizes)[stretch] -= beside;
    mended = true;
  }
  return mended;
}

// One line with one slope and these steps (by jump) through what was measured. A step of a single frame is
// within what a short stretch is off by and goes to the next one in time; steps that the line shows to be
// others are mended. `measured` is not empty.
CameraAlignment fit_stepped_line(const CameraAlignment& camera, const std::vector<Jump>& jumps,
                                 const std::vector<MeasuredOffset>& measured, std::vector<double> sizes,
                                 LineFit fit_line) {
  constexpr int kRounds = 3;
  DriftLine line;
  for (int round = 0; round < kRounds; ++round) {
    join_single_frames(jumps, &sizes);
    const std::vector<DriftPoint> points = without_steps(measured, sizes);
    line = fit_line(points);
    if (round + 1 < kRounds && !mend_sizes(measured, points, line, &sizes)) break;
  }
  CameraAlignment fitted = camera;
  fitted.offset_frames = line.intercept;
  fitted.drift_ppm = 1e6 * line.slope;
  fitted.sigma_frames = line.sigma;
  fitted.changes.clear();
  for (size_t j = 0; j < jumps.size(); ++j)
    if (sizes[j] != 0) fitted.changes.push_back({std::llround(jumps[j].base_frame), sizes[j]});
  return fitted;
}

// The camera's change at each jump, 0 where it has none.
std::vector<double> sizes_of(const CameraAlignment& camera, const std::vector<Jump>& jumps) {
  std::vector<double> sizes;
  for (const Jump& jump : jumps) {
    const auto at = std::llround(jump.base_frame);
    const auto change = std::find_if(camera.changes.begin(), camera.changes.end(),
                                     [&](const OffsetChange& one) { return one.base_frame == at; });
    sizes.push_back(change == camera.changes.end() ? 0.0 : change->frames);
  }
  return sizes;
}

constexpr int kRefinements = 3;

class Follower {
 public:
  Follower(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
           std::vector<CameraAlignment>* cameras)
      : cameras_(*cameras),
        pairs_(pairs, options, cameras_),
        evidence_(pairs_),
        losses_(pairs_, evidence_, cameras) {}

  // Lost frames can look like drift and drift like lost frames: both are tried first, and each camera gets
  // what explains its pairs better.
  void run() {
    jumps_ = find_jumps(pairs_);
    const std::vector<Jump> found = jumps_;
    const std::vector<CameraAlignment> start = cameras_;
    explain(fit_drift);
    const std::vector<CameraAlignment> drifting = cameras_;
    if (windows_.empty()) return;
    jumps_ = found, cameras_ = start;
    explain(fit_level);
    choose(drifting);
    losses_.settle_moments();
    for (int round = 0; round < kRefinements && refine_jumps(); ++round) {
      fit_all(fit_drift);
      losses_.settle_moments();
    }
    jumps_ = join_jumps(pairs_, {});
    pairs_.follow_alignment();
    fit_all(fit_drift);
    losses_.settle_sizes();
    if (pairs_.options().latest_s > 0)
      find_latest_offsets(pairs_, evidence_, &cameras_);
    else
      vouch();
  }

 private:
  // Explains by the jumps that pairs show, taking what is between them for `line`.
  void explain(LineFit line) {
    fit_all(line);
    if (refine_jumps()) fit_all(fit_drift);
  }

  // For each camera the better of what it has and `other`.
  void choose(const std::vector<CameraAlignment>& other) {
    const std::vector<CameraAlignment> own = cameras_;
    const double before = evidence_.of_all();
    cameras_ = other;
    const bool other_first = evidence_.of_all() >= before;
    if (!other_first) cameras_ = own;
    const std::vector<CameraAlignment>& second = other_first ? own : other;
    for (size_t c = 0; c < cameras_.size(); ++c) {
      const double here = evidence_.of(c);
      const CameraAlignment first = std::exchange(cameras_[c], second[c]);
      if (evidence_.of(c) <= here) cameras_[c] = first;
    }
  }

  void fit_all(LineFit line) {
    const Span span = pairs_.span();
    evidence_.set_span(span);
    windows_ = make_windows(span, jumps_, pairs_.options().frame_rate);
    measured_ = measure_offsets(pairs_, windows_);
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (is_measured(c)) cameras_[c] = fit(c, jump_sizes(c), line);
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (is_measured(c)) improve(c, line);
  }
  bool is_measured(size_t c) const { return cameras_[c].offset_frames && !measured_[c].empty(); }
  CameraAlignment fit(size_t c, std::vector<double> sizes, LineFit line) const {
    return fit_stepped_line(cameras_[c], jumps_, measured_[c], std::move(sizes), line);
  }

  // Jumps that all pairs of a camera together show in addition to those found; true when there are any.
  bool refine_jumps() {
    if (windows_.empty()) return false;
    std::vector<Jump> more = jumps_beside(pairs_, evidence_);
    if (more.empty()) return false;
    jumps_ = join_jumps(pairs_, std::move(more));
    return true;
  }

  // The change of the camera's offset at each jump; what came before it was first measured is in the
  // offset.
  std::vector<double> jump_sizes(size_t c) const {
    std::vector<double> sizes;
    for (size_t j = 0; j < jumps_.size(); ++j)
      sizes.push_back(j < measured_[c].front().stretch ? 0.0 : jumps_[j].frames[c]);
    return sizes;
  }

  // Another line, and each change left out or a frame more or less: whatever has more evidence.
  void improve(size_t c, LineFit line) {
    try_sizes(c, sizes_of(cameras_[c], jumps_), fit_level);
    for (size_t j = 0; j < jumps_.size(); ++j)
      for (const double beside : {-1.0, 1.0, 0.0}) {
        std::vector<double> sizes = sizes_of(cameras_[c], jumps_);
        if (sizes[j] == 0) continue;
        sizes[j] = beside == 0 ? 0 : sizes[j] + beside;
        try_sizes(c, sizes, fit_level);
        if (line != fit_level) try_sizes(c, sizes, line);
      }
  }
  void try_sizes(size_t c, const std::vector<double>& sizes, LineFit line) {
    const double best = evidence_.of(c);
    const CameraAlignment before = std::exchange(cameras_[c], fit(c, sizes, line));
    if (evidence_.of(c) < best) cameras_[c] = before;
  }

  // Takes out the changes that the footage does not bear out, and states where it bears out the rest.
  void vouch() {
    size_t left = 0;
    for (const CameraAlignment& camera : cameras_) left += camera.changes.size();
    for (; left > 0 && losses_.drop_unsure(); --left) {
      pairs_.follow_alignment();
      jumps_ = join_jumps(pairs_, {});
      fit_all(fit_drift);
    }
    while (losses_.drop_unsure()) continue;
    const Vouching vouching(pairs_, evidence_);
    for (size_t c = 0; c < cameras_.size(); ++c) {
      if (!cameras_[c].offset_frames || static_cast<int>(c) == pairs_.options().base) continue;
      const Span span = vouching.vouched(c);
      cameras_[c].vouched = {std::llround(std::ceil(span.begin)), std::llround(std::floor(span.end))};
      cameras_[c].confidence = std::min(cameras_[c].confidence, vouching.confidence(c));
    }
  }
  std::vector<CameraAlignment>& cameras_;
  AlignedPairs pairs_;
  Evidence evidence_;
  Losses losses_;
  std::vector<Jump> jumps_;
  std::vector<Window> windows_;
  std::vector<std::vector<MeasuredOffset>> measured_;  // by camera
};

}  // namespace

void follow_alignment(const std::vector<PairAnalysis>& pairs, const EstimateOptions& options,
                      std::vector<CameraAlignment>* cameras) {
  Follower(pairs, options, cameras).run();
}

}  // namespace vantage::sync_detail
