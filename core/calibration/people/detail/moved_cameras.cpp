#include "core/calibration/people/detail/moved_cameras.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/calibration/adjust/gauge.h"
#include "core/calibration/people/refine.h"
#include "core/geometry/dense.h"

namespace vantage::people_calibration_detail {
namespace {

using Values = Eigen::Matrix<double, 6, 1>;
using Weights = Eigen::Matrix<double, 6, 6>;
using WorldValues = Eigen::Matrix<double, kWorldChanges, 1>;

// A deviation that no one knows better than by: keeps a covariance by few parts of the footage invertible.
constexpr double kFloorTurn_rad = 2e-4, kFloorMove_m = 1e-3;
constexpr int kFits = 3;     // of a world whose changes are small
constexpr int kGrowths = 8;  // of a set of cameras until it stays as it is, at most

WorldChange world_of(const WorldValues& values, const Eigen::Vector3d& middle_m) {
  WorldChange change;
  const double angle = values.head<3>().norm();
  if (angle > 0) change.rotation = Eigen::AngleAxisd(angle, values.head<3>() / angle).toRotationMatrix();
  change.scale = std::exp(values[6]);
  change.translation_m = middle_m + values.segment<3>(3) - change.scale * (change.rotation * middle_m);
  return change;
}

class UnmovedSearch {
 public:
  UnmovedSearch(const std::vector<Camera>& given, const std::vector<Camera>& solved,
                const std::vector<Eigen::Matrix<double, kChanges, kChanges>>& covariances,
                const VoxelGrid& grid)
      : given_(given), solved_(solved), covariances_(covariances), grid_(grid) {
    Weights least = Weights::Zero();
    least.diagonal().head<3>().setConstant(kFloorTurn_rad * kFloorTurn_rad);
    least.diagonal().tail<3>().setConstant(kFloorMove_m * kFloorMove_m);
    for (const auto& covariance : covariances)
      weights_.push_back(inverse_of(covariance.topLeftCorner<6, 6>() + least));
  }

  std::optional<UnmovedCameras> best() const {
    std::vector<Found> all;
    for (size_t b = 0; b < given_.size(); ++b)
      for (size_t a = 0; a < b; ++a)
        if (auto grown = grow({a, b})) all.push_back(std::move(*grown));
    const auto better = [](const Found& one, const Found& other) {
      const size_t count = one.unmoved.cameras.size(), others = other.unmoved.cameras.size();
      return count != others ? count > others : one.misfit < other.misfit;
    };
    const auto best = std::ranges::min_element(all, better);
    if (best == all.end()) return {};
    const std::vector<size_t>& cameras = best->unmoved.cameras;
    const auto rivals = [&](const Found& other) {
      return other.unmoved.cameras.size() == cameras.size() &&
             std::ranges::none_of(other.unmoved.cameras,
                                  [&](size_t c) { return std::ranges::find(cameras, c) != cameras.end(); });
    };
    if (std::ranges::any_of(all, rivals)) return {};
    return best->unmoved;
  }

 private:
  struct Found {
    UnmovedCameras unmoved;
    double misfit = 0;
  };

  // The world in which these cameras are nearest to their given poses, by their covariances.
  WorldChange fit(const std::vector<size_t>& cameras) const {
    WorldChange world;
    for (int turn = 0; turn < kFits; ++turn) {
      std::vector<Camera> present;
      for (const size_t c : cameras) present.push_back(in_changed_world(solved_[c], world));
      const Eigen::Vector3d middle = middle_of_centers_m(present);
      Eigen::Matrix<double, kWorldChanges, kWorldChanges> normal =
          Eigen::Matrix<double, kWorldChanges, kWorldChanges>::Zero();
      WorldValues right = WorldValues::Zero();
      for (size_t i = 0; i < cameras.size(); ++i) {
        const WorldEffect effect =
            effect_of_world(present[i].rotation_cam_from_world(), present[i].center_in_world_m() - middle);
        const Values off = change_between(given_[cameras[i]], present[i]).head<6>();
        normal += effect.transpose() * weights_[cameras[i]] * effect;
        right -= effect.transpose() * weights_[cameras[i]] * off;
      }
      world = world.then(world_of(solve_symmetric(normal, right), middle));
    }
    return world;
  }

  CameraChange change(size_t camera, const WorldChange& world) const {
    return change_between(given_[camera], in_changed_world(solved_[camera], world));
  }

  std::vector<size_t> unmoved_in(const WorldChange& world) const {
    std::vector<size_t> cameras;
    for (size_t c = 0; c < given_.size(); ++c)
      if (!moves(given_[c], in_changed_world(solved_[c], world), covariances_[c], grid_))
        cameras.push_back(c);
    return cameras;
  }

  // Grows from two cameras to all that agree with them; nothing where the two do not agree with each other.
  std::optional<Found> grow(std::vector<size_t> cameras) const {
    for (int turn = 0; turn < kGrowths; ++turn) {
      const WorldChange world = fit(cameras);
      std::vector<size_t> unmoved = unmoved_in(world);
      if (unmoved.size() < 2) return {};
      if (unmoved == cameras) return Found{{world, cameras}, misfit(cameras, world)};
      cameras = std::move(unmoved);
    }
    return {};
  }

  double misfit(const std::vector<size_t>& cameras, const WorldChange& world) const {
    double sum = 0;
    for (const size_t c : cameras) {
      const Values off = change(c, world).head<6>();
      sum += off.dot(weights_[c] * off);
    }
    return sum;
  }

  const std::vector<Camera>&given_, &solved_;
  const std::vector<Eigen::Matrix<double, kChanges, kChanges>>& covariances_;
  const VoxelGrid& grid_;
  std::vector<Weights> weights_;
};

}  // namespace

std::optional<UnmovedCameras> unmoved_cameras(
    const std::vector<Camera>& given, const std::vector<Camera>& solved,
    const std::vector<Eigen::Matrix<double, kChanges, kChanges>>& covariances, const VoxelGrid& grid) {
  return UnmovedSearch(given, solved, covariances, grid).best();
}

bool moves(const Camera& before, const Camera& after,
           const Eigen::Matrix<double, kChanges, kChanges>& covariance, const VoxelGrid& grid) {
  return floor_effect(before, change_between(before, after), covariance, grid).certainty >=
         kMinRefineCertainty;
}

Result<MovedCameras> moved_cameras(
    const std::vector<Camera>& given, std::vector<size_t> asked, const VoxelGrid& grid,
    const std::function<Result<SolvedPoses>(const std::vector<size_t>& free)>& solve) {
  MovedCameras moved{std::move(asked), false};
  while (!moved.cameras.empty()) {
    const Result<SolvedPoses> solved = solve(moved.cameras);
    if (!solved && solved.error().kind == ErrorKind::cancelled) return fail(solved.error());
    if (!solved) break;
    if (!solved->all_free) {
      const auto stays = [&](size_t c) {
        return !moves(given[c], solved->cameras[c], solved->covariances[c], grid);
      };
      if (std::erase_if(moved.cameras, stays) == 0) break;
      continue;
    }
    const auto unmoved = unmoved_cameras(given, solved->cameras, solved->covariances, grid);
    moved.open = !unmoved;
    if (!unmoved) break;
    std::erase_if(moved.cameras,
                  [&](size_t c) { return std::ranges::find(unmoved->cameras, c) != unmoved->cameras.end(); });
  }
  return moved;
}

}  // namespace vantage::people_calibration_detail
