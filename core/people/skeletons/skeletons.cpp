#include "core/people/skeletons/skeletons.h"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/base/quantile.h"

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

namespace {

constexpr int kSteps = 8;
constexpr double kFinal_m = 1e-6;  // a step as small ends them
// No joint is surer than this, whatever its cameras' geometry says: the normal equations stay solvable.
constexpr double kMinVariance_m2 = 1e-8;

struct KnownLimb {
  size_t from, to;  // joints that are known
  double length_m;
};

std::vector<KnownLimb> known_limbs(const PersonSkeleton& skeleton,
                                   const std::map<std::string_view, double>& lengths_m) {
  std::vector<KnownLimb> limbs;
  for (const auto& [limb, ends] : limbs_of(*skeleton.layout)) {
    const auto length = lengths_m.find(limb->name);
    if (!limb->rigid || length == lengths_m.end()) continue;
    if (skeleton.joints[ends[0]] && skeleton.joints[ends[1]])
      limbs.push_back({ends[0], ends[1], length->second});
  }
  return limbs;
}

bool broken(const PersonSkeleton& skeleton, const KnownLimb& limb) {
  const SceneJoint &a = *skeleton.joints[limb.from], &b = *skeleton.joints[limb.to];
  const Eigen::Vector3d between = b.point_in_world_m - a.point_in_world_m;
  const double apart_m = between.norm();
  if (apart_m <= 0) return true;
  const Eigen::Vector3d u = between / apart_m;
  const double variance = kLength_m * kLength_m + u.dot((a.covariance_m2 + b.covariance_m2) * u);
  return std::abs(apart_m - limb.length_m) > kBroken * std::sqrt(variance);
}

// The joint that most broken limbs share, of as many the least confident one; -1: no limb is broken.
int worst_joint(const PersonSkeleton& skeleton, const std::vector<KnownLimb>& limbs) {
  std::vector<int> breaks(skeleton.joints.size());
  for (const KnownLimb& limb : limbs)
    if (broken(skeleton, limb)) ++breaks[limb.from], ++breaks[limb.to];
  int worst = -1;
  for (size_t i = 0; i < breaks.size(); ++i) {
    if (breaks[i] == 0) continue;
    const auto better = [&](size_t than) {
      if (breaks[i] != breaks[than]) return breaks[i] > breaks[than];
      return skeleton.joints[i]->confidence < skeleton.joints[than]->confidence;
    };
    if (worst < 0 || better(static_cast<size_t>(worst))) worst = static_cast<int>(i);
  }
  return worst;
}

// The joints' places one above the other, three rows each.
class Fit {
 public:
  Fit(const PersonSkeleton& skeleton, const std::vector<KnownLimb>& limbs) : limbs_(limbs) {
    row_.assign(skeleton.joints.size(), -1);
    for (const KnownLimb& limb : limbs)
      for (const size_t joint : {limb.from, limb.to})
        if (row_[joint] < 0)
          row_[joint] = 3 * static_cast<Eigen::Index>(joints_.size()), joints_.push_back(joint);
    const auto rows = 3 * static_cast<Eigen::Index>(joints_.size());
    seen_.resize(rows), precision_ = Eigen::MatrixXd::Zero(rows, rows);
    for (const size_t joint : joints_) {
      const SceneJoint& known = *skeleton.joints[joint];
      const Eigen::Matrix3d floor = kMinVariance_m2 * Eigen::Matrix3d::Identity();
      seen_.segment<3>(row_[joint]) = known.point_in_world_m;
      precision_.block<3, 3>(row_[joint], row_[joint]) = (known.covariance_m2 + floor).inverse();
    }
  }

  void apply_to(PersonSkeleton* skeleton) const {
    Eigen::VectorXd place = seen_;
    for (int step = 0; step < kSteps; ++step) {
      const Eigen::VectorXd move = step_from(place);
      place += move;
      if (move.size() == 0 || move.cwiseAbs().maxCoeff() < kFinal_m) break;
    }
    for (const size_t joint : joints_)
      skeleton->joints[joint]->point_in_world_m = place.segment<3>(row_[joint]);
  }

 private:
  Eigen::VectorXd step_from(const Eigen::VectorXd& place) const {
    Eigen::MatrixXd normal = precision_;
    Eigen::VectorXd right = precision_ * (seen_ - place);
    for (const KnownLimb& limb : limbs_) {
      const Eigen::Index a = row_[limb.from], b = row_[limb.to];
      const Eigen::Vector3d between = place.segment<3>(b) - place.segment<3>(a);
      const double apart_m = between.norm();
      if (apart_m <= 0) continue;
      const Eigen::Vector3d u = between / apart_m;
      const double weight = 1 / (kLength_m * kLength_m);
      const Eigen::Matrix3d along = weight * u * u.transpose();
      normal.block<3, 3>(a, a) += along, normal.block<3, 3>(b, b) += along;
      normal.block<3, 3>(a, b) -= along, normal.block<3, 3>(b, a) -= along;
      const Eigen::Vector3d pull = weight * (apart_m - limb.length_m) * u;
      right.segment<3>(a) += pull, right.segment<3>(b) -= pull;
    }
    return normal.ldlt().solve(right);
  }

  const std::vector<KnownLimb>& limbs_;
  std::vector<Eigen::Index> row_;  // by joint; -1: in no limb
  std::vector<size_t> joints_;
  Eigen::VectorXd seen_;
  Eigen::MatrixXd precision_;
};

}  // namespace

void LimbLengths::add(const PersonSkeleton& skeleton) {
  if (!skeleton.layout) return;
  for (const auto& [limb, ends] : limbs_of(*skeleton.layout)) {
    const auto &a = skeleton.joints[ends[0]], &b = skeleton.joints[ends[1]];
    if (limb->rigid && a && b)
      seen_m_[limb->name].push_back((a->point_in_world_m - b->point_in_world_m).norm());
  }
}

std::map<std::string_view, double> LimbLengths::lengths_m() const {
  std::map<std::string_view, double> medians;
  for (const auto& [limb, seen] : seen_m_) {
    if (static_cast<int64_t>(seen.size()) < kMinLengths) continue;
    medians[limb] = upper_median(seen);
  }
  return medians;
}

PersonSkeleton with_limb_lengths(PersonSkeleton skeleton,
                                 const std::map<std::string_view, double>& lengths_m) {
  if (!skeleton.layout) return skeleton;
  std::vector<KnownLimb> limbs = known_limbs(skeleton, lengths_m);
  for (int worst = worst_joint(skeleton, limbs); worst >= 0; worst = worst_joint(skeleton, limbs)) {
    skeleton.joints[worst].reset();
    limbs = known_limbs(skeleton, lengths_m);
  }
  Fit(skeleton, limbs).apply_to(&skeleton);
  return skeleton;
}

}  // namespace vantage
