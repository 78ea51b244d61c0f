#include "core/sync/detail/stepped_line.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace vantage::sync_detail {
namespace {

// Without another step a single frame is no loss.
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

}  // namespace

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

}  // namespace vantage::sync_detail
