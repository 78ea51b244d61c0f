#include "core/calibration/adjust/uncertainty.h"

#include <cmath>
#include <map>

#include "core/geometry/dense.h"

namespace vantage {
namespace {

// The smallest eigenvalue of the normal equations, scaled to a diagonal of ones, that still determines
// something.
constexpr double kMinEigenvalue = 1e-11;

// `solutions`: a column each, without one group.
Eigen::MatrixXd off_mean(const Eigen::MatrixXd& solutions) {
  const auto count = static_cast<double>(solutions.cols());
  const Eigen::VectorXd mean = solutions.rowwise().mean();
  return std::sqrt((count - 1) / count) * (solutions.colwise() - mean);
}

// A group's part of the normal equations, with its own values eliminated.
struct Reduced {
  Eigen::MatrixXd normal;
  Eigen::VectorXd slope;
};

Reduced reduced(const Jacobian& slopes, const Eigen::VectorXd& residuals,
                const std::vector<Eigen::Index>& rows, Eigen::Index shared) {
  std::map<Eigen::Index, Eigen::Index> own;  // column of the slopes to that of the group
  for (const Eigen::Index row : rows)
    for (Jacobian::InnerIterator at(slopes, row); at; ++at)
      if (at.col() >= shared) own.try_emplace(at.col(), static_cast<Eigen::Index>(own.size()));
  const auto count = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd by_shared = Eigen::MatrixXd::Zero(count, shared),
                  by_own = Eigen::MatrixXd::Zero(count, static_cast<Eigen::Index>(own.size()));
  for (Eigen::Index i = 0; i < count; ++i)
    for (Jacobian::InnerIterator at(slopes, rows[i]); at; ++at)
      (at.col() < shared ? by_shared(i, at.col()) : by_own(i, own[at.col()])) = at.value();
  const Eigen::VectorXd its = residuals(rows);
  Reduced part{by_shared.transpose() * by_shared, by_shared.transpose() * its};
  if (own.empty()) return part;
  const Eigen::MatrixXd mixed = by_own.transpose() * by_shared;
  const InvertedNormal inverted = invert_normal(by_own.transpose() * by_own);
  if (!inverted.open.empty()) return {Eigen::MatrixXd::Zero(shared, shared), Eigen::VectorXd::Zero(shared)};
  part.slope -= mixed.transpose() * (inverted.inverse * (by_own.transpose() * its));
  part.normal -= mixed.transpose() * inverted.inverse * mixed;
  return part;
}

}  // namespace

Eigen::MatrixXd normal_equations(const Jacobian& slopes, const Eigen::VectorXd& weights) {
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(slopes.cols(), slopes.cols());
  for (Eigen::Index row = 0; row < slopes.rows(); ++row) {
    const double weight = weights.size() == 0 ? 1 : weights[row];
    for (Jacobian::InnerIterator a(slopes, row); a; ++a)
      for (Jacobian::InnerIterator b(slopes, row); b; ++b)
        normal(a.col(), b.col()) += weight * (a.value() * b.value());
  }
  return normal;
}

InvertedNormal invert_normal(const Eigen::MatrixXd& normal) {
  InvertedNormal inverted;
  if (normal.cols() == 0) return inverted;  // all is fixed
  const Eigen::VectorXd scale =
      normal.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
  const auto [values, vectors] = symmetric_parts(scale.asDiagonal() * normal * scale.asDiagonal());
  inverted.smallest = values[0];
  for (Eigen::Index k = 0; k < normal.cols() && values[k] < kMinEigenvalue; ++k) {
    Eigen::Index worst = 0;
    vectors.col(k).cwiseAbs().maxCoeff(&worst);
    inverted.open.push_back(worst);
  }
  if (!inverted.open.empty()) return inverted;
  const Eigen::MatrixXd scaled = scale.asDiagonal() * vectors;
  inverted.inverse = scaled * values.cwiseInverse().asDiagonal() * scaled.transpose();
  return inverted;
}

Result<Eigen::MatrixXd> jackknife(const std::set<size_t>& groups,
                                  const std::function<Result<Eigen::VectorXd>(size_t group)>& without,
                                  const StopSource& stop) {
  Eigen::MatrixXd solutions;
  for (const size_t group : groups) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    VANTAGE_ASSIGN(const Eigen::VectorXd values, without(group));
    solutions.conservativeResize(values.size(), solutions.cols() + 1);
    solutions.rightCols<1>() = values;
  }
  const Eigen::MatrixXd off = off_mean(solutions);
  return Eigen::MatrixXd(off * off.transpose());
}

Eigen::VectorXd jackknife_by_steps(const Jacobian& slopes, const Eigen::VectorXd& residuals,
                                   const std::vector<std::vector<Eigen::Index>>& groups,
                                   const std::vector<Eigen::Index>& kept, Eigen::Index shared) {
  if (groups.size() < 2) return {};
  std::vector<Reduced> parts;
  Eigen::MatrixXd all = reduced(slopes, residuals, kept, shared).normal;
  for (const std::vector<Eigen::Index>& rows : groups) {
    parts.push_back(reduced(slopes, residuals, rows, shared));
    all += parts.back().normal;
  }
  Eigen::MatrixXd solutions(shared, static_cast<Eigen::Index>(parts.size()));
  for (size_t i = 0; i < parts.size(); ++i) {
    const InvertedNormal rest = invert_normal(all - parts[i].normal);
    if (rest.inverse.size() == 0) return {};
    solutions.col(static_cast<Eigen::Index>(i)) = rest.inverse * parts[i].slope;
  }
  return off_mean(solutions).rowwise().squaredNorm();
}

}  // namespace vantage
