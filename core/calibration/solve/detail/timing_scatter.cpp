#include "core/calibration/solve/detail/timing_scatter.h"

#include <ceres/crs_matrix.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/calibration/solve/detail/jackknife.h"

namespace vantage {
namespace {

// As many as tell a scatter.
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
  // Neighbouring boards, but those that are held: without them, poses would count from nothing.
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
