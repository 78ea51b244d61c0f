// Some of a calibration's cameras placed again, the others fixed, by people or by clicked points.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/people/person_outlines.h"
#include "core/geometry/camera.h"
#include "core/geometry/clicked_point.h"
#include "core/geometry/voxel_grid.h"

namespace vantage::people_calibration_detail {

struct SolvedPoses {
  std::vector<Camera> cameras;  // fixed ones are as they were to the last digit
  std::vector<Eigen::Matrix<double, kChanges, kChanges>> covariances;  // by camera; 0: fixed
  bool all_free = false;  // none was fixed: the world is the one that keeps the centres in the mean
};

// `free`: numbers of cameras. Errors: those of solve_from_people() and of solve_points(); bad_data where the
// footage leaves all of them open.
Result<SolvedPoses> poses_by_people(const std::vector<Camera>& start, const std::vector<size_t>& free,
                                    const std::vector<PeopleFrame>& frames, const VoxelGrid& grid,
                                    const StopSource& stop);
Result<SolvedPoses> poses_by_points(const std::vector<Camera>& start, const std::vector<size_t>& free,
                                    const std::vector<ClickedPoint>& points);

// Lenses that may differ from the stated ones, and how undistorted points change by them.

// Change of a camera's lens: of the focal length, relative, and of k1.
using LensChange = std::array<double, 2>;

// The same camera through the changed lens. Errors: bad_data where that is not valid.
Result<Camera> with_lens(const Camera& camera, const LensChange& change);

// x / z and y / z in the camera's axes, and their slopes by LensChange.
struct SeenPoint {
  Eigen::Vector2d at = Eigen::Vector2d::Zero();
  Eigen::Matrix2d slopes = Eigen::Matrix2d::Zero();
};

class LensSlopes {
 public:
  explicit LensSlopes(const Camera& camera);
  // Nothing where the lens shows no ray at the pixel.
  std::optional<SeenPoint> at(const Eigen::Vector2d& pixel_px) const;

 private:
  Camera camera_;
  std::vector<Camera> changed_;  // one for each value; none where a small change is not valid
};

}  // namespace vantage::people_calibration_detail
