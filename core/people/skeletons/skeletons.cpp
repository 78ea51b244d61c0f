#include "core/people/skeletons/skeletons.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace vantage {

template <>
const ParameterTable& parameter_table<SkeletonParameters>() {
  using P = SkeletonParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "skeletons", "Skeletons",
      {
          boolean<&P::enabled>("Join joints of the views",
                               "Find the joints of people fused from detections in the scene, where the "
                               "detections have joints."),
          real<&P::min_score>("Minimum score", "", 0, 1, "Joints with a lower score are ignored."),
          real<&P::gate_m>("Gate", "m", 0.01, 1,
                           "Maximum distance of a joint from the rays of the cameras that it is made of."),
          real<&P::max_deviation_m>(
              "Maximum uncertainty", "m", 0.01, 1,
              "Joints whose standard deviation is larger in any direction are left out.", expert),
      });
  return table;
}

double SceneJoint::deviation_m() const {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance_m2, Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0, solver.eigenvalues().maxCoeff()));
}

int64_t PersonSkeleton::known() const {
  return std::count_if(joints.begin(), joints.end(), [](const auto& joint) { return joint.has_value(); });
}

}  // namespace vantage
