// Some of a calibration's cameras placed again, the others held, by people or by clicked points.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/calibration/people/person_outlines.h"
#include "core/geometry/camera_change.h"
#include "core/geometry/clicked_point.h"
#include "core/geometry/voxel_grid.h"

namespace vantage::people_calibration_detail {

struct SolvedPoses {
  std::vector<Camera> cameras;  // those that were held are as they were to the last digit
  std::vector<Eigen::Matrix<double, kChanges, kChanges>> covariances;  // by camera; 0: held
  bool all_free = false;  // none was held: the world is the one that keeps the centres in the mean
};

// `free`: numbers of cameras. Errors: those of solve_from_people() and of solve_points(); bad_data where the
// footage leaves all of them open.
Result<SolvedPoses> poses_by_people(const std::vector<Camera>& start, const std::vector<size_t>& free,
                                    const std::vector<PeopleFrame>& frames, const VoxelGrid& grid,
                                    const StopSource& stop);
Result<SolvedPoses> poses_by_points(const std::vector<Camera>& start, const std::vector<size_t>& free,
                                    const std::vector<ClickedPoint>& points);

}  // namespace vantage::people_calibration_detail
