// What values of an adjustment are worth by the scatter of what they are made of: stretches of observations
// are left out one after the other. Errors that go together within a stretch, of which a covariance knows
// nothing, count so. Source: J. W. Tukey, "Bias and confidence in not-quite large samples", 1958; the values
// without a stretch by one step of Newton's.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace vantage {

// One stretch's rows of the Jacobian, columns the values that all stretches share, then its own, and the
// residuals.
struct JackknifeStretch {
  Eigen::MatrixXd by_shared, by_own;
  Eigen::VectorXd residuals;
};

// Variances of the shared values; empty where a stretch left out leaves one of them open. `kept` is never
// left out: what the values are counted from.
Eigen::VectorXd jackknife_variances(const std::vector<JackknifeStretch>& stretches,
                                    const JackknifeStretch& kept);

}  // namespace vantage
