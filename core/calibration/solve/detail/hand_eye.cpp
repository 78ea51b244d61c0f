#include <algorithm>
#include <cmath>

#include "core/base/quantile.h"
#include "core/calibration/solve/detail/joined_boards.h"
#include "core/geometry/dense.h"

namespace vantage {
namespace {

using Pairs = std::span<const std::pair<Eigen::Isometry3d, Eigen::Isometry3d>>;

constexpr size_t kMinPairs = 3;
// Lower bound for the equations, by pair: turns of about 5 degrees about two axes.
constexpr double kMinTurns = 2e-3;

Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& matrix) {
  const SingularParts3 parts = singular_parts(matrix);
  const Eigen::Matrix3d turn = parts.u * parts.v.transpose();
  return turn.determinant() < 0 ? Eigen::Matrix3d(-turn) : turn;
}

// z' b = a x for the rotations, linear in all 18 numbers of z' and x. Whether they determine these.
bool solve_turns(Pairs pairs, HandEye* found) {
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(18, 18);
  for (const auto& [a, b] : pairs) {
    Eigen::MatrixXd equations = Eigen::MatrixXd::Zero(9, 18);
    for (Eigen::Index column = 0; column < 3; ++column)
      for (Eigen::Index k = 0; k < 3; ++k)
        equations.block<3, 3>(3 * column, 3 * k).diagonal().setConstant(b.linear()(k, column));
    for (Eigen::Index column = 0; column < 3; ++column)
      equations.block<3, 3>(3 * column, 9 + 3 * column) = -a.linear();
    normal += equations.transpose() * equations / static_cast<double>(pairs.size());
  }
  const auto [values, vectors] = symmetric_parts(normal);
  const Eigen::VectorXd both = vectors.col(0);
  Eigen::Matrix3d z_back = Eigen::Map<const Eigen::Matrix3d>(both.data());
  Eigen::Matrix3d x = Eigen::Map<const Eigen::Matrix3d>(both.data() + 9);
  if (z_back.determinant() < 0) z_back = -z_back, x = -x;
  found->z.linear() = nearest_rotation(z_back).transpose(), found->x.linear() = nearest_rotation(x);
  return values[1] > std::max(kMinTurns, 10 * values[0]);
}

// t_b = R_z (R_a t_x + t_a) + t_z.
void solve_shifts(Pairs pairs, HandEye* found) {
  Eigen::Matrix<double, 6, 6> normal = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> right = Eigen::Matrix<double, 6, 1>::Zero();
  for (const auto& [a, b] : pairs) {
    Eigen::Matrix<double, 3, 6> equations;
    equations << found->z.linear() * a.linear(), Eigen::Matrix3d::Identity();
    normal += equations.transpose() * equations;
    right += equations.transpose() * (b.translation() - found->z.linear() * a.translation());
  }
  const Eigen::VectorXd shifts = solve_symmetric(normal, right);
  found->x.translation() = shifts.head<3>(), found->z.translation() = shifts.tail<3>();
}

double missed_rad(const std::pair<Eigen::Isometry3d, Eigen::Isometry3d>& pair, const HandEye& found) {
  const Eigen::Matrix3d turn = found.z.linear() * pair.first.linear() * found.x.linear();
  return Eigen::AngleAxisd(turn.transpose() * pair.second.linear()).angle();
}

}  // namespace

std::optional<HandEye> solve_hand_eye(Pairs pairs) {
  constexpr int kPasses = 4;
  constexpr double kNear_rad = 0.02, kOutlier = 3;
  std::vector<std::pair<Eigen::Isometry3d, Eigen::Isometry3d>> kept(pairs.begin(), pairs.end());
  HandEye found{Eigen::Isometry3d::Identity(), Eigen::Isometry3d::Identity()};
  for (int pass = 0; pass < kPasses; ++pass) {
    if (kept.size() < kMinPairs) return {};
    solve_turns(kept, &found);  // wrong pairs may still hide what the others determine
    std::vector<double> missed;
    for (const auto& pair : pairs) missed.push_back(missed_rad(pair, found));
    const double limit = std::max(kNear_rad, kOutlier * upper_median(missed));
    std::vector<std::pair<Eigen::Isometry3d, Eigen::Isometry3d>> near;
    for (size_t i = 0; i < pairs.size(); ++i)
      if (missed[i] <= limit) near.push_back(pairs[i]);
    if (near.size() == kept.size()) break;
    kept = std::move(near);
  }
  if (kept.size() < kMinPairs || !solve_turns(kept, &found)) return {};
  solve_shifts(kept, &found);
  return found;
}

}  // namespace vantage
