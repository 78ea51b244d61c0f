// Epipolar tangents of outlines. The planes through two cameras' centres that touch a body touch its outline
// in both pictures, whatever its shape: seen along the line between the centres, a body's outline spans the
// same angles from either camera (R. Cipolla, P. Giblin, "Visual Motion of Curves and Surfaces", 2000;
// S. Sinha, M. Pollefeys, "Camera network calibration and synchronization from silhouettes in archived
// video", IJCV 2010).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/adjust/adjustment.h"
#include "core/calibration/adjust/uncertainty.h"
#include "core/calibration/people/detail/solved_poses.h"
#include "core/geometry/camera.h"

namespace vantage::people_calibration_detail {

using PoseChange = std::array<double, 6>;  // rotation, shift: CameraChange without the focal length
CameraChange camera_change(const PoseChange& change);

// A camera as tangents need it.
struct Pose {
  Eigen::Matrix3d world_from_camera = Eigen::Matrix3d::Identity();
  Eigen::Vector3d center_m = Eigen::Vector3d::Zero();
  double focal_px = 0;
  Eigen::Vector2d lens = Eigen::Vector2d::Zero();  // LensChange from the lens that rays are by
};
Pose pose_of(const Camera& camera, const PoseChange& change);

struct BodyOutline {
  size_t camera = 0;
  int64_t frame = 0;
  std::vector<Eigen::Vector3d> rays = {};  // through the hull's corners, in the camera's axes, unit length
  std::vector<Eigen::Matrix<double, 3, 2>> slopes = {};  // of the rays by LensChange; none: lenses are fixed
  std::vector<bool> cut = {};  // corners at the picture's border, where the body may go on
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();  // the mean of the rays, unit length
};

// Outlines of one body in two cameras, of the same frame.
struct OutlinePair {
  size_t first = 0, second = 0;
  double weight = 1;  // of its squared misses
};

enum Touch : size_t { kBelow, kAbove };  // feet and heads, where cameras stand round a room
inline constexpr size_t kTouches = 2;

// Angle by which the outlines' tangent planes differ, in pixels of both pictures together; nothing where one
// of them is cut off by a border, or where the line between the centres meets the body.
struct TangentMiss {
  std::array<double, kTouches> px = {};
  std::array<bool, kTouches> counts = {};
};
TangentMiss tangent_miss(const Pose& first, const BodyOutline& in_first, const Pose& second,
                         const BodyOutline& in_second);

struct TangentProblem {
  std::vector<Camera> cameras;  // as given
  std::vector<bool> free;
  std::vector<PoseChange> changes;  // of each camera
  std::vector<BodyOutline> outlines;
  std::vector<OutlinePair> pairs;
  std::array<double, kTouches> scatter_px = {3, 3};
  StopSource stop = {};  // ends a minimisation
  bool solve_lenses = false;
  std::vector<LensChange> lenses;   // from the given ones, of each camera
  std::vector<LensChange> seen_by;  // by which rays and marks are what they are

  explicit TangentProblem(const std::vector<Camera>& given = {})
      : cameras(given),
        free(given.size()),
        changes(given.size()),
        lenses(given.size()),
        seen_by(given.size()) {}
  std::vector<Pose> poses(const std::vector<PoseChange>& by, const std::vector<LensChange>& through) const;
};

// Sizes of the misses of all pairs whose cameras `take` accepts.
std::vector<double> misses_px(const TangentProblem& problem, const std::vector<Pose>& poses,
                              const std::function<bool(size_t first, size_t second)>& take,
                              std::initializer_list<Touch> touches = {kBelow, kAbove});
// The share of misses that are of people whom nothing hides: half of all or more may be of hidden ones.
inline constexpr NormalShare kWhereSeen = kBestFifth;

// All changes, then those of lenses where they are solved.
Eigen::VectorXd values_of(const TangentProblem& problem);

// The misses of all pairs that a free camera is part of, with Tukey's loss.
void add_tangents(TangentProblem& problem, Adjustment& adjustment);
// Free cameras, and lenses that are solved, are about as stated.
void add_known(TangentProblem& problem, Adjustment& adjustment);
// Frees these; columns: six of each free camera, two of each lens where they are solved.
void name_blocks(TangentProblem& problem, Adjustment& adjustment);

// Improves the free changes by the pairs. Their covariance, six values for each free camera, as if all pairs
// were independent. Errors: bad_data where no solution is reached.
Result<Eigen::MatrixXd> adjust_poses(TangentProblem* problem);

}  // namespace vantage::people_calibration_detail
