// Cameras and points from clicks: points that are not known are triangulated, chosen cameras are placed (and
// their focal length found) by them and by points whose coordinates are known; one bundle adjustment of it
// all. The other cameras are fixed.
//
// Starts: each chosen camera as it is given, and as the points alone place it (G. Terzakis, M. Lourakis, "A
// consistently fast and globally optimal solution to the perspective-n-point problem", 2020; OpenCV's SQPNP);
// the better final fit is taken. Huber's loss, so that a wrong click does not bend the rest. The minimiser is
// Ceres.
//
// Standard deviations come from the clicks' own scatter. A few clicks show little of that, so it is combined
// with kExpectedWeight more that scatter by kExpectedClick_px.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/calibration/solve/camera_values.h"
#include "core/geometry/camera.h"
#include "core/geometry/clicked_point.h"

namespace vantage {

struct PointsCamera {
  Camera camera;  // as given, under the name that clicks state
  bool solve_pose = false;
  bool solve_focal = false;  // only with the pose
};

struct PointsInput {
  std::vector<PointsCamera> cameras;
  std::vector<ClickedPoint> points;
};

struct SolvedClick {
  size_t camera = 0;                // of the input
  Eigen::Vector2d off_px = {0, 0};  // projected less clicked
  bool doubtful = false;            // kDoubtfulSigmas from its position by the others
};

struct SolvedPoint {
  std::string name;
  std::optional<Eigen::Vector3d> at_m;              // as known or triangulated; nothing: one view or none
  bool known = false;                               // then fixed
  Eigen::Vector3d std_m = Eigen::Vector3d::Zero();  // 0: known
  double rms_px = 0;                                // of its clicks' distances
  std::vector<SolvedClick> clicks;                  // as clicked; empty where at_m is
};

struct PointsSolvedCamera {
  Camera camera;
  bool free = false;
  CameraChange change = CameraChange::Zero();  // of the given camera; of a fixed one 0
  // Covariance of small changes of the solved camera.
  Eigen::Matrix<double, kChanges, kChanges> covariance = Eigen::Matrix<double, kChanges, kChanges>::Zero();
  double turned_deg = 0, moved_m = 0, focal_share = 0;  // sizes of the change
  double turned_std_deg = 0, moved_std_m = 0, focal_std = 0;
  size_t clicks = 0;
  double before_px = 0, after_px = 0;  // root mean square of its clicks, by the given and the solved camera
};

struct PointsSolution {
  std::vector<PointsSolvedCamera> cameras;
  std::vector<SolvedPoint> points;
  SolvedTogether together;         // the cameras that were free
  double sigma_px = 0;             // of one coordinate of a click
  int redundancy = 0;              // coordinates beyond what the free values take
  std::vector<std::string> notes;  // clicks and points that do not fit or could not be used, as sentences
};

inline constexpr double kExpectedClick_px = 1, kExpectedWeight = 4, kDoubtfulSigmas = 5;
inline constexpr size_t kMinPosePoints = 4, kMinFocalPoints = 5;
// Standard deviations beyond which a camera is not determined.
inline constexpr double kMaxPointsTurn_deg = 1, kMaxPointsMove_m = 0.25, kMaxPointsFocal = 0.05;

// Cameras and points of the input; points alone if no camera is free. Same input, same bytes. Errors:
// invalid_argument if a click names an unknown camera; bad_data if the points do not determine the result,
// with a sentence on what to click or fix.
Result<PointsSolution> solve_points(const PointsInput& input);

// Points as the given cameras place them, whatever coordinates are known. Clicks in others are left out.
Result<PointsSolution> triangulate_points(const std::vector<Camera>& cameras,
                                          std::vector<ClickedPoint> points);

}  // namespace vantage
