#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/geometry/camera.h"

namespace vantage {
namespace {

constexpr double kStep_m = 0.1;
constexpr double kMinReach_m = 5.0;
constexpr int kMaxStepsPerAxis = 400;  // bounds the search to about a second in a large hall

struct Box {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector3d high = -low;
  void add(const Eigen::Vector3d& point) { low = low.cwiseMin(point), high = high.cwiseMax(point); }
};

// Common views of cameras that look side by side have no end: points count up to this distance from a camera.
double reach_of(const std::vector<Camera>& cameras) {
  double widest_m = 0;
  for (const Camera& a : cameras)
    for (const Camera& b : cameras)
      widest_m = std::max(widest_m, (a.center_in_world_m() - b.center_in_world_m()).norm());
  return std::max(kMinReach_m, 2.0 * widest_m);
}

class ViewTest {
 public:
  ViewTest(const std::vector<Camera>& cameras, int needed)
      : cameras_(cameras), needed_(needed), reach_m_(reach_of(cameras)) {
    for (const Camera& camera : cameras) centers_.push_back(camera.center_in_world_m());
  }
  double reach_m() const { return reach_m_; }
  const std::vector<Eigen::Vector3d>& centers() const { return centers_; }
  bool seen(const Eigen::Vector3d& point) const {
    int missing = needed_;
    for (size_t c = 0; c < cameras_.size() && missing > 0; ++c) {
      if (cameras_.size() - c < static_cast<size_t>(missing)) return false;
      missing -= (point - centers_[c]).squaredNorm() <= reach_m_ * reach_m_ && cameras_[c].sees(point);
    }
    return missing <= 0;
  }

 private:
  const std::vector<Camera>& cameras_;
  int needed_;
  double reach_m_;
  std::vector<Eigen::Vector3d> centers_;
};

struct SeenVolume {
  Box box;
  double step_m;
};

SeenVolume find_seen_volume(const ViewTest& view, double height_m) {
  Box search;
  for (const Eigen::Vector3d& center : view.centers()) search.add(center);
  const Eigen::Vector3d reach(view.reach_m(), view.reach_m(), 0);
  search.low -= reach;
  search.high += reach;
  const double widest = (search.high - search.low).head<2>().maxCoeff();
  SeenVolume found{{}, std::max(kStep_m, widest / kMaxStepsPerAxis)};
  const int layers = std::max(1, static_cast<int>(std::ceil(height_m / found.step_m)));
  const double layer_m = height_m / layers;
  for (int k = 0; k <= layers; ++k)
    for (double y = search.low.y(); y <= search.high.y(); y += found.step_m)
      for (double x = search.low.x(); x <= search.high.x(); x += found.step_m)
        if (const Eigen::Vector3d point(x, y, k * layer_m); view.seen(point)) found.box.add(point);
  return found;
}

// Voxels that cover [low, high], a multiple of `multiple`; the origin lies on a whole number of voxels.
void cover(double low, double high, double voxel_m, int multiple, double* origin, double* count) {
  const double first = std::floor(low / voxel_m + 1e-9), last = std::ceil(high / voxel_m - 1e-9);
  *count = std::max(1.0, std::ceil((last - first) / multiple)) * multiple;
  *origin = (first - std::floor((*count - (last - first)) / 2)) * voxel_m;
}

}  // namespace

Result<VoxelGrid> fit_grid_to_common_view(const std::vector<Camera>& cameras, double voxel_size_m,
                                          double height_m, int min_cameras) {
  if (cameras.empty())
    return fail(ErrorKind::invalid_argument, "there is no camera to fit a voxel grid to", "voxel grid",
                "Give a calibration with at least one camera.");
  if (!(voxel_size_m > 0) || !(height_m > 0) || !std::isfinite(voxel_size_m) || !std::isfinite(height_m))
    return fail(ErrorKind::invalid_argument, "voxel size and height have to be positive", "voxel grid");
  const int all = static_cast<int>(cameras.size());
  if (min_cameras < 0 || min_cameras > all)
    return fail(ErrorKind::invalid_argument,
                "cannot require " + std::to_string(min_cameras) + " of " + std::to_string(all) + " cameras",
                "voxel grid");
  const int needed = min_cameras > 0 ? min_cameras : std::min(all, 4);
  const ViewTest view(cameras, needed);
  const SeenVolume seen = find_seen_volume(view, height_m);
  if (!(seen.box.low.x() <= seen.box.high.x()))
    return fail(ErrorKind::bad_data,
                "no point between the floor and " + std::to_string(height_m) + " m is seen by " +
                    std::to_string(needed) + " cameras",
                "voxel grid", "Check the calibration's units and up-axis, or give the grid by hand.");
  VoxelGrid grid;
  grid.voxel_size_m = voxel_size_m;
  double counts[3];
  const double half = seen.step_m / 2;
  for (int axis = 0; axis < 2; ++axis)
    cover(seen.box.low[axis] - half, seen.box.high[axis] + half, voxel_size_m, 16,
          &grid.origin_in_world_m[axis], &counts[axis]);
  // The grid stands on the floor, whatever the lowest point seen.
  const double top_m = std::min(height_m, seen.box.high.z() + half);
  counts[2] = std::max(1.0, std::ceil(top_m / voxel_size_m / 8 - 1e-9)) * 8;
  if (counts[0] * counts[1] * counts[2] > std::numeric_limits<int32_t>::max())
    return fail(ErrorKind::invalid_argument, "the common view volume holds more than 2^31 - 1 voxels",
                "voxel grid", "Choose larger voxels or a lower height.");
  grid.nx = static_cast<int>(counts[0]);
  grid.ny = static_cast<int>(counts[1]);
  grid.nz = static_cast<int>(counts[2]);
  return grid;
}

}  // namespace vantage
