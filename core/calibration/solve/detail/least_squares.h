// What the adjustments of this folder share: the minimiser with its settings, and the inverse of normal
// equations that says what they leave open.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ceres {
class Problem;
}

namespace vantage {

// Residuals beyond so many pixels pull less: before their scatter is known, and by it afterwards.
inline constexpr double kFirstLoss_px = 2, kLossSigmas = 3;

// One thread: sums in one order, the same bytes each time. `remedy`: where no solution is reached.
Status minimise(ceres::Problem* problem, const std::string& remedy);

struct InvertedNormal {
  Eigen::MatrixXd inverse;         // empty where something is open
  double smallest = 1;             // eigenvalue of the scaled equations
  std::vector<Eigen::Index> open;  // the values that the equations leave open, the main one of each direction
};
// Scaled to a diagonal of ones first.
InvertedNormal invert_normal(const Eigen::MatrixXd& normal);

}  // namespace vantage
