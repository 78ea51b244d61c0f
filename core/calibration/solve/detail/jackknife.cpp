#include "core/calibration/solve/detail/jackknife.h"

#include "core/calibration/solve/detail/least_squares.h"

namespace vantage {
namespace {

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

}  // namespace

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

}  // namespace vantage
