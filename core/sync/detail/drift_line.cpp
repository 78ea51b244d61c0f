#include "core/sync/detail/drift_line.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace vantage::sync_detail {
namespace {

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

}  // namespace

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

}  // namespace vantage::sync_detail
