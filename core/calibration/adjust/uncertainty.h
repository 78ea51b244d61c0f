// Uncertainty of a solution: by the scatter of its residuals, by its normal equations, and by solving again
// without parts of the data.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <set>
#include <vector>

#include "core/base/quantile.h"
#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/adjust/adjustment.h"

namespace vantage {

// Standard deviations of normal errors about 0 by their sizes, whatever the larger ones are; 0: there are
// none.

// The median's, where less than half are outliers.
inline double robust_scatter(std::vector<double> sizes) {
  return sizes.empty() ? 0 : 1.4826 * upper_median(std::move(sizes));
}

// The one by a share of them, the smallest, which lies within so many standard deviations.
struct NormalShare {
  double share, deviations;
};
inline constexpr NormalShare kBestFifth{0.2, 0.2533}, kBestFourFifths{0.8, 1.28};
inline double robust_scatter(std::vector<double> sizes, const NormalShare& by) {
  return quantile(std::move(sizes), by.share) / by.deviations;
}

// J'WJ; no weights: J'J.
Eigen::MatrixXd normal_equations(const Jacobian& slopes, const Eigen::VectorXd& weights = {});

struct InvertedNormal {
  Eigen::MatrixXd inverse;         // empty where something is open
  double smallest = 1;             // eigenvalue of the scaled equations
  std::vector<Eigen::Index> open;  // values that the equations leave open, the main one of each direction
};
// Scaled to a diagonal of ones first.
InvertedNormal invert_normal(const Eigen::MatrixXd& normal);

// The delete-a-group jackknife (J. Shao, D. Tu, "The Jackknife and Bootstrap", 1995): the covariance of a
// solution's values by solving without each group of the data in turn, so that errors that data of one group
// have in common count, which a covariance of independent residuals ignores.

// Errors: those of `without`; cancelled.
Result<Eigen::MatrixXd> jackknife(const std::set<size_t>& groups,
                                  const std::function<Result<Eigen::VectorXd>(size_t group)>& without,
                                  const StopSource& stop);

// The variances of the first `shared` values, those without a group by one step of Newton's. A group is some
// rows of the slopes, whose other values are its own. `kept` rows are in no group: the reference of the
// values. Empty: fewer than two groups, or a value is open without one.
Eigen::VectorXd jackknife_by_steps(const Jacobian& slopes, const Eigen::VectorXd& residuals,
                                   const std::vector<std::vector<Eigen::Index>>& groups,
                                   const std::vector<Eigen::Index>& kept, Eigen::Index shared);

}  // namespace vantage
