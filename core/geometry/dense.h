// Decompositions of dense matrices in double precision, compiled once: each of Eigen's costs every file that
// names it seconds. Loops over pixels or voxels use Eigen's own of fixed size.
#pragma once

#include <Eigen/Core>

namespace vantage {

// Eigenvalues, ascending, and eigenvectors, a column each, of a symmetric matrix. Only its lower triangle is
// read.
struct SymmetricParts {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricParts symmetric_parts(const Eigen::MatrixXd& matrix);

// matrix = u * values.asDiagonal() * v.transpose(), values descending.
struct SingularParts3 {
  Eigen::Matrix3d u, v;
  Eigen::Vector3d values;
};
SingularParts3 singular_parts(const Eigen::Matrix3d& matrix);

// x with matrix * x = right, of a symmetric matrix, by LDL'. A singular one gives any of the solutions.
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right);

// x with the least squares of rows * x - right, by QR with pivots. `rank`: of the rows.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& rows, const Eigen::VectorXd& right,
                              Eigen::Index* rank = nullptr);

// The inverse of a square matrix that has one.
Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& matrix);

// The rotation and shift, and with_scale the scale, that bring the columns of `from` to those of `to` with
// the least squares (S. Umeyama, "Least-squares estimation of transformation parameters between two point
// patterns", 1991).
Eigen::Matrix4d similarity_between(const Eigen::Matrix3Xd& from, const Eigen::Matrix3Xd& to, bool with_scale);

}  // namespace vantage
