#include "core/calibration/people/detail/pose_uncertainty.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>

#include "core/calibration/people/people_solve.h"
#include "core/geometry/dense.h"

namespace vantage::people_calibration_detail {
namespace {

constexpr double kLeftOpen = 0.06;  // of the covariance as if people were independent
constexpr double kSet_m = 1;        // side of the places that are left out together

Eigen::VectorXd values_of(const TangentProblem& tangents) {
  const auto cameras = static_cast<Eigen::Index>(tangents.changes.size());
  Eigen::VectorXd values(tangents.solve_lenses ? 8 * cameras : 6 * cameras);
  Eigen::Index at = 0;
  for (const PoseChange& change : tangents.changes)
    for (const double value : change) values[at++] = value;
  for (const LensChange& lens : tangents.lenses)
    for (size_t i = 0; tangents.solve_lenses && i < lens.size(); ++i) values[at++] = lens[i];
  return values;
}

// The part of each person, by stretches of time: as many frames in each.
std::vector<size_t> parts_of_time(const std::vector<UprightPerson>& people) {
  std::vector<int64_t> frames;
  for (const UprightPerson& person : people)
    if (frames.empty() || frames.back() != person.frame) frames.push_back(person.frame);
  std::vector<size_t> parts;
  for (const UprightPerson& person : people) {
    const auto at = std::lower_bound(frames.begin(), frames.end(), person.frame) - frames.begin();
    parts.push_back(static_cast<size_t>(at) * kParts / frames.size());
  }
  return parts;
}

// Squares of the floor, those of a part spread over it.
std::vector<size_t> parts_of_floor(const std::vector<UprightPerson>& people) {
  std::vector<size_t> parts;
  for (const UprightPerson& person : people) {
    const long square = 5 * std::lround(person.at_m[0] / kSet_m) + 2 * std::lround(person.at_m[1] / kSet_m);
    const auto count = static_cast<long>(kParts);
    parts.push_back(static_cast<size_t>((square % count + count) % count));
  }
  return parts;
}

class Jackknife {
 public:
  Jackknife(const TangentProblem& tangents, const UprightProblem& upright,
            const std::vector<size_t>& people_of, const StopSource& stop)
      : tangents_(tangents), upright_(upright), people_of_(people_of), stop_(stop) {}

  // Nothing where all people are in one part.
  Result<std::optional<Eigen::MatrixXd>> covariance(const std::vector<size_t>& parts) const {
    if (std::set(parts.begin(), parts.end()).size() < 2) return std::optional<Eigen::MatrixXd>();
    std::vector<Eigen::VectorXd> without;
    for (size_t part = 0; part < kParts; ++part) {
      if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
      if (std::find(parts.begin(), parts.end(), part) == parts.end()) continue;
      TangentProblem tangents = tangents_;
      UprightProblem upright = upright_;
      std::erase_if(upright.marks, [&](const UprightMark& mark) { return parts[mark.person] == part; });
      std::erase_if(tangents.pairs,
                    [&](const OutlinePair& pair) { return parts[people_of_[pair.first]] == part; });
      VANTAGE_TRY(adjust_all(&tangents, &upright));
      without.push_back(values_of(tangents));
    }
    const Eigen::Index size = values_of(tangents_).size();
    const auto count = static_cast<double>(without.size());
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(size);
    for (const Eigen::VectorXd& values : without) mean += values / count;
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(size, size);
    for (const Eigen::VectorXd& values : without)
      covariance += (count - 1) / count * (values - mean) * (values - mean).transpose();
    return std::optional(covariance);
  }

 private:
  const TangentProblem& tangents_;
  const UprightProblem& upright_;
  const std::vector<size_t>& people_of_;
  const StopSource& stop_;
};

}  // namespace

Result<Eigen::MatrixXd> covariance_by_parts(const TangentProblem& tangents, const UprightProblem& upright,
                                            const std::vector<size_t>& people_of,
                                            const Eigen::MatrixXd& left_open, const Eigen::MatrixXd& seen,
                                            const StopSource& stop) {
  const Jackknife jackknife(tangents, upright, people_of, stop);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(left_open.rows(), left_open.cols());
  int ways = 0;
  for (const auto& parts : {parts_of_time(upright.people), parts_of_floor(upright.people)}) {
    VANTAGE_ASSIGN(const auto its, jackknife.covariance(parts));
    if (its) covariance += *its, ++ways;
  }
  // A change of the world leaves lenses as they are.
  Eigen::MatrixXd all = Eigen::MatrixXd::Identity(left_open.rows(), left_open.cols());
  all.topLeftCorner(seen.rows(), seen.cols()) = seen;
  return all * (covariance / std::max(ways, 1) + kLeftOpen * left_open) * all.transpose();
}

Eigen::Matrix<double, 6, kWorldChanges> effect_of_world(const Camera& camera,
                                                        const Eigen::Vector3d& middle_m) {
  Eigen::Matrix<double, 6, kWorldChanges> effect = Eigen::Matrix<double, 6, kWorldChanges>::Zero();
  const Eigen::Vector3d arm = camera.center_in_world_m() - middle_m;
  effect.topLeftCorner<3, 3>() = -camera.rotation_cam_from_world();
  for (Eigen::Index axis = 0; axis < 3; ++axis)
    effect.block<3, 1>(3, axis) = Eigen::Vector3d::Unit(axis).cross(arm);
  effect.block<3, 3>(3, 3).setIdentity();
  effect.block<3, 1>(3, 6) = arm;
  return effect;
}

Eigen::Vector3d middle_of_centers_m(const std::vector<Camera>& cameras) {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Camera& camera : cameras)
    middle += camera.center_in_world_m() / static_cast<double>(cameras.size());
  return middle;
}

Eigen::MatrixXd without_gauge_freedom(const std::vector<Camera>& cameras) {
  const auto count = static_cast<Eigen::Index>(cameras.size());
  const Eigen::Vector3d middle = middle_of_centers_m(cameras);
  Eigen::MatrixXd effect = Eigen::MatrixXd::Zero(6 * count, kWorldChanges), of_centers = effect;
  for (Eigen::Index c = 0; c < count; ++c) {
    effect.middleRows<6>(6 * c) = effect_of_world(cameras[static_cast<size_t>(c)], middle);
    of_centers.middleRows<3>(6 * c + 3) = effect.middleRows<3>(6 * c + 3);
  }
  const Eigen::MatrixXd normal = of_centers.transpose() * of_centers;
  return Eigen::MatrixXd::Identity(6 * count, 6 * count) -
         effect * solve_symmetric(normal, of_centers.transpose());
}

}  // namespace vantage::people_calibration_detail
