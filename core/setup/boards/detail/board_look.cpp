#include "core/setup/boards/detail/board_look.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "core/calibration/solve/board_coverage.h"
#include "core/geometry/dense.h"

namespace vantage {
namespace {

// Views that differ by less than this in everything are one. Place in shares of the picture; distance by the
// factor e^0.15, a seventh; slant by about 12 degrees of a board that faces the camera.
constexpr double kOtherPlace = 0.08, kOtherDistance = 0.15, kOtherSlant = 0.2;

}  // namespace

bool BoardLook::differs_from(const BoardLook& other) const {
  return (middle - other.middle).cwiseAbs().maxCoeff() > kOtherPlace ||
         std::abs(log_square_px - other.log_square_px) > kOtherDistance ||
         (slant - other.slant).norm() > kOtherSlant;
}

bool BoardLook::slanted() const {
  return slant.norm() > std::sin(kSlantedBoard_rad);
}

std::optional<BoardLook> look_of(const Board& board, const std::vector<BoardCorner>& corners, int width_px,
                                 int height_px) {
  if (corners.size() < 4) return {};
  Eigen::Vector2d middle_m = Eigen::Vector2d::Zero(), middle_px = Eigen::Vector2d::Zero();
  for (const BoardCorner& corner : corners) {
    middle_m += Eigen::Vector2d(board.x_m(corner.index), board.y_m(corner.index));
    middle_px += Eigen::Vector2d(corner.x_px, corner.y_px);
  }
  middle_m /= static_cast<double>(corners.size()), middle_px /= static_cast<double>(corners.size());
  // x (1 + g u + h v) = a u + b v + c, y likewise; u and v in squares or tags, x and y in hundreds of pixels.
  const double unit_m = board.tags ? board.tags->side_m : board.square_m;
  constexpr double kUnit_px = 100;
  const auto rows = static_cast<Eigen::Index>(2 * corners.size());
  Eigen::Matrix<double, Eigen::Dynamic, 8> equations =
      Eigen::Matrix<double, Eigen::Dynamic, 8>::Zero(rows, 8);
  Eigen::VectorXd seen(rows);
  for (size_t i = 0; i < corners.size(); ++i) {
    const double u = (board.x_m(corners[i].index) - middle_m.x()) / unit_m;
    const double v = (board.y_m(corners[i].index) - middle_m.y()) / unit_m;
    const Eigen::Vector2d at = (Eigen::Vector2d(corners[i].x_px, corners[i].y_px) - middle_px) / kUnit_px;
    for (const Eigen::Index axis : {0, 1}) {
      const Eigen::Index row = 2 * static_cast<Eigen::Index>(i) + axis;
      equations.block<1, 3>(row, 3 * axis) << u, v, 1;
      equations.block<1, 2>(row, 6) << -at[axis] * u, -at[axis] * v;
      seen[row] = at[axis];
    }
  }
  Eigen::Index rank = 0;
  const Eigen::VectorXd map = least_squares(equations, seen, &rank);
  if (rank < 8) return {};
  const Eigen::Vector2d recedes(map[6], map[7]);
  Eigen::Matrix2d turned;  // how the picture's pixels follow the board's squares, at their middle
  turned << map[0], map[1], map[3], map[4];
  turned -= Eigen::Vector2d(map[2], map[5]) * recedes.transpose();
  const Eigen::JacobiSVD<Eigen::Matrix2d> parts(turned, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double longest = parts.singularValues()[0], shortest = parts.singularValues()[1];
  if (!(shortest > 0) || !std::isfinite(longest)) return {};
  BoardLook look;
  look.middle = middle_px.cwiseQuotient(Eigen::Vector2d(width_px, height_px));
  look.log_square_px = std::log(longest * kUnit_px);
  const double share = shortest / longest;
  const double away = recedes.dot(parts.matrixV().col(1)) < 0 ? -1 : 1;
  look.slant = away * std::sqrt(std::max(0.0, 1 - share * share)) * parts.matrixU().col(1);
  return look;
}

}  // namespace vantage
