#include "core/calibration/people/detail/solved_poses.h"

#include <algorithm>
#include <utility>

#include "core/calibration/people/people_solve.h"
#include "core/calibration/solve/measure.h"
#include "core/calibration/solve/points_solve.h"

namespace vantage::people_calibration_detail {
namespace {

void fix_others(const std::vector<Camera>& start, const std::vector<size_t>& free, SolvedPoses* solved) {
  for (size_t c = 0; c < start.size(); ++c)
    if (std::ranges::find(free, c) == free.end()) solved->cameras[c] = start[c];
}

}  // namespace

Result<SolvedPoses> poses_by_people(const std::vector<Camera>& start, const std::vector<size_t>& free,
                                    const std::vector<PeopleFrame>& frames, const VoxelGrid& grid,
                                    const StopSource& stop) {
  PeopleSolveInput input{start, std::vector<bool>(start.size(), false), frames, floor_around(grid)};
  for (const size_t c : free) input.free[c] = true;
  input.judge_lenses = false;  // held-out data judge what comes of it
  VANTAGE_ASSIGN(const PeopleSolution solution, solve_from_people(input, stop));
  SolvedPoses solved;
  bool determined = false;
  for (const PeopleSolvedCamera& camera : solution.cameras) {
    determined |= camera.free && camera.determined;
    solved.cameras.push_back(camera.camera), solved.covariances.push_back(camera.covariance);
  }
  if (!determined) return fail(ErrorKind::bad_data, "the footage does not determine it", "calibration");
  fix_others(start, free, &solved);
  solved.all_free = solution.all_free;
  if (!solution.all_free) return solved;
  // The cameras show better than feet where the floor is.
  VANTAGE_ASSIGN(const WorldChange back, align_cameras(solved.cameras, start));
  for (Camera& camera : solved.cameras) camera = in_changed_world(camera, back);
  return solved;
}

Result<SolvedPoses> poses_by_points(const std::vector<Camera>& start, const std::vector<size_t>& free,
                                    const std::vector<ClickedPoint>& points) {
  PointsInput input;
  for (size_t c = 0; c < start.size(); ++c)
    input.cameras.push_back({start[c], std::ranges::find(free, c) != free.end(), false});
  input.points = points;
  VANTAGE_ASSIGN(const PointsSolution solution, solve_points(input));
  SolvedPoses solved;
  for (const PointsSolvedCamera& camera : solution.cameras)
    solved.cameras.push_back(camera.camera), solved.covariances.push_back(camera.covariance);
  fix_others(start, free, &solved);
  return solved;
}

namespace {

constexpr double kLensStep = 1e-4;

}  // namespace

Result<Camera> with_lens(const Camera& camera, const LensChange& change) {
  PinholeCamera<double> model = camera.model();
  model.fx_px *= 1 + change[0], model.fy_px *= 1 + change[0];
  model.k1 += change[1];
  return Camera::make(camera.name(), model);
}

LensSlopes::LensSlopes(const Camera& camera) : camera_(camera) {
  for (const LensChange& change : {LensChange{kLensStep, 0}, LensChange{0, kLensStep}})
    if (auto changed = with_lens(camera, change)) changed_.push_back(std::move(*changed));
}

std::optional<SeenPoint> LensSlopes::at(const Eigen::Vector2d& pixel_px) const {
  const auto at = camera_.undistort(pixel_px);
  if (!at || changed_.size() != 2) return {};
  SeenPoint seen{*at};
  for (size_t i = 0; i < changed_.size(); ++i) {
    const auto there = changed_[i].undistort(pixel_px);
    if (!there) return {};
    seen.slopes.col(static_cast<Eigen::Index>(i)) = (*there - *at) / kLensStep;
  }
  return seen;
}

}  // namespace vantage::people_calibration_detail
