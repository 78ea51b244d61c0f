#include "core/calibration/solve/detail/timing_scatter.h"

#include <ceres/crs_matrix.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/calibration/solve/detail/least_squares.h"

namespace vantage {
namespace {

// Uncertainty of an adjustment's values by the scatter of its data: stretches of observations are left out
// one after the other. So errors that are correlated within a stretch count, which a covariance ignores.
// Source: J. W. Tukey, "Bias and confidence in not-quite large samples", 1958; the values without a stretch
// by one step of Newton's.

// One stretch's rows of the Jacobian, columns the values that all stretches share, then its own, and the
// residuals.
struct JackknifeStretch {
  Eigen::MatrixXd by_shared, by_own;
  Eigen::VectorXd residuals;
};

// The stretch's part of the normal equations, with its own values eliminated.
struct Reduced {
  Eigen::MatrixXd normal;
  Eigen::VectorXd slope;
};

Reduced reduced(const JackknifeStretch& stretch) {
  Reduced part{stretch.by_shared.transpose() * stretch.by_shared,
               stretch.by_shared.transpose() * stretch.residuals};
  if (stretch.by_own.cols() == 0) return part;
  const Eigen::MatrixXd mixed = stretch.by_own.transpose() * stretch.by_shared;
  const InvertedNormal own = invert_normal(stretch.by_own.transpose() * stretch.by_own);
  if (own.inverse.size() == 0)
    return {Eigen::MatrixXd::Zero(part.normal.rows(), part.normal.cols()),
            Eigen::VectorXd::Zero(part.slope.size())};
  part.slope -= mixed.transpose() * (own.inverse * (stretch.by_own.transpose() * stretch.residuals));
  part.normal -= mixed.transpose() * own.inverse * mixed;
  return part;
}

// Variances of the shared values; empty where a stretch left out leaves one of them open. `kept` is never
// left out: the reference of the values.
Eigen::VectorXd jackknife_variances(const std::vector<JackknifeStretch>& stretches,
                                    const JackknifeStretch& kept) {
  std::vector<Reduced> parts;
  for (const JackknifeStretch& stretch : stretches) parts.push_back(reduced(stretch));
  if (parts.size() < 2) return {};
  Eigen::MatrixXd all = reduced(kept).normal;
  for (const Reduced& part : parts) all += part.normal;
  const auto count = static_cast<double>(parts.size());
  Eigen::MatrixXd without(all.rows(), static_cast<Eigen::Index>(parts.size()));
  for (size_t i = 0; i < parts.size(); ++i) {
    const InvertedNormal rest = invert_normal(all - parts[i].normal);
    if (rest.inverse.size() == 0) return {};
    without.col(static_cast<Eigen::Index>(i)) = rest.inverse * parts[i].slope;
  }
  const Eigen::VectorXd mean = without.rowwise().mean();
  return (count - 1) / count * (without.colwise() - mean).rowwise().squaredNorm();
}

// Stretches for a scatter.
constexpr size_t kMinStretches = 8, kMaxStretches = 20;
constexpr double kMinResidual_px = 1e-9;

Eigen::Index shared_values(const BundleReport& report) {
  int last = -1;
  for (const auto& index : report.lens_index)
    last = std::max(last, *std::max_element(index.begin(), index.end()));
  for (const auto& index : report.timing_index)
    last = std::max(last, *std::max_element(index.begin(), index.end()));
  for (const int pose : report.pose_index) last = std::max(last, pose < 0 ? -1 : pose + 5);
  return last + 1;
}

JackknifeStretch stretch_of(const std::vector<size_t>& corners, Eigen::Index shared, const Bundle& bundle,
                            const ceres::CRSMatrix& jacobian, const std::vector<double>& loss_px,
                            const BundleReport& report) {
  std::map<int, Eigen::Index> own;  // column of the Jacobian to that of the stretch
  for (const size_t i : corners)
    for (int at = jacobian.rows[2 * i]; at < jacobian.rows[2 * i + 2]; ++at)
      if (const int column = jacobian.cols[static_cast<size_t>(at)]; column >= shared)
        own.try_emplace(column, static_cast<Eigen::Index>(own.size()));
  const auto rows = static_cast<Eigen::Index>(2 * corners.size());
  JackknifeStretch stretch;
  stretch.by_shared = Eigen::MatrixXd::Zero(rows, shared);
  stretch.by_own = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(own.size()));
  stretch.residuals.resize(rows);
  for (size_t k = 0; k < corners.size(); ++k) {
    const Eigen::Vector2d& residual = report.residuals_px[corners[k]];
    const double loss = loss_px[static_cast<size_t>(bundle.corners[corners[k]].camera)];
    const double counts = std::min(1.0, loss / std::max(residual.norm(), kMinResidual_px));
    for (const size_t axis : {0, 1}) {
      const auto row = static_cast<Eigen::Index>(2 * k + axis);
      stretch.residuals[row] = counts * residual[static_cast<Eigen::Index>(axis)];
      const size_t of_jacobian = 2 * corners[k] + axis;
      for (int at = jacobian.rows[of_jacobian]; at < jacobian.rows[of_jacobian + 1]; ++at) {
        const int column = jacobian.cols[static_cast<size_t>(at)];
        (column < shared ? stretch.by_shared(row, column) : stretch.by_own(row, own[column])) =
            jacobian.values[static_cast<size_t>(at)];
      }
    }
  }
  return stretch;
}

}  // namespace

std::vector<std::array<double, kTimingValues>> timing_scatter(const Bundle& bundle,
                                                              const ceres::CRSMatrix& jacobian,
                                                              const std::vector<double>& loss_px,
                                                              const BundleReport& report) {
  std::vector<std::array<double, kTimingValues>> scatter(bundle.cameras.size());
  const bool timed =
      std::any_of(report.timing_index.begin(), report.timing_index.end(),
                  [](const auto& index) { return std::max(index[kDelay], index[kReadout]) >= 0; });
  if (!timed || bundle.boards.size() < kMinStretches) return scatter;
  // Stretches of neighbouring boards, but not of fixed ones: without these, poses have no reference.
  const size_t boards = bundle.boards.size(), count = std::min(kMaxStretches, boards);
  std::vector<std::vector<size_t>> corners(count);
  std::vector<size_t> kept;
  for (size_t i = 0; i < bundle.corners.size(); ++i) {
    const auto board = static_cast<size_t>(bundle.corners[i].board);
    (bundle.boards[board].free ? corners[board * count / boards] : kept).push_back(i);
  }
  const Eigen::Index shared = shared_values(report);
  std::vector<JackknifeStretch> stretches;
  for (const std::vector<size_t>& members : corners)
    if (!members.empty()) stretches.push_back(stretch_of(members, shared, bundle, jacobian, loss_px, report));
  const Eigen::VectorXd variances =
      jackknife_variances(stretches, stretch_of(kept, shared, bundle, jacobian, loss_px, report));
  if (variances.size() == 0) return scatter;
  for (size_t c = 0; c < scatter.size(); ++c)
    for (size_t i = 0; i < kTimingValues; ++i)
      if (const int at = report.timing_index[c][i]; at >= 0) scatter[c][i] = std::sqrt(variances[at]);
  return scatter;
}

}  // namespace vantage
