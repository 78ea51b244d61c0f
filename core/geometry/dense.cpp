#include "core/geometry/dense.h"

#include <Eigen/Dense>

namespace vantage {

SymmetricParts symmetric_parts(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SingularParts3 singular_parts(const Eigen::Matrix3d& matrix) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> solver(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {solver.matrixU(), solver.matrixV(), solver.singularValues()};
}

Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right) {
  return matrix.ldlt().solve(right);
}

Eigen::VectorXd least_squares(const Eigen::MatrixXd& rows, const Eigen::VectorXd& right, Eigen::Index* rank) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(rows);
  if (rank) *rank = solver.rank();
  return solver.solve(right);
}

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& matrix) {
  return matrix.inverse();
}

Eigen::Matrix4d similarity_between(const Eigen::Matrix3Xd& from, const Eigen::Matrix3Xd& to,
                                   bool with_scale) {
  return Eigen::umeyama(from, to, with_scale);
}

}  // namespace vantage
