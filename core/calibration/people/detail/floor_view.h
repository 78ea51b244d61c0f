// One camera above a floor, by the people in its pictures alone: people of about the same height show tilt,
// roll, height and, less well, the focal length.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/calibration/people/detail/floor_camera.h"

namespace vantage::footage_detail {

// A person's height before anything is measured.
struct HeightPrior {
  double mean_m = kAdultHeight_m, std_m = kAdultHeightStd_m;
};

// Priors of any camera, as standard deviations: of the focal length's logarithm about that of 0.9 of the
// longer side, of the principal point (longer sides), of k1, of the roll (radians), and of the height's
// logarithm about that of 2.7 m.
inline constexpr double kUsualLogFocal = -0.105, kLogFocalStd = 0.35, kCentreStd = 0.016, kUsualBend = -0.05,
                        kBendStd = 0.1, kRollStd = 0.1, kUsualHeight_m = 2.7, kLogHeightStd = 0.6;

struct FloorView {
  FloorValues values = {};        // yaw, position and delay are 0
  double cost = 0;                // half of the squares of misses, in standard deviations
  std::vector<double> heights_m;  // by track
};

// Views with different focal lengths that the tracks allow, the best first; none: too few people, or none of
// them is seen from head to feet.
std::vector<FloorView> views_of(const PictureSize& size, const std::vector<PictureTrack>& tracks,
                                const HeightPrior& prior);

// The direction of a pixel's ray in the world, of any length.
Eigen::Vector3d ray_of(const PictureSize& size, const FloorValues& values, double x_px, double y_px);

// Where the ray of a pixel meets the plane z.
std::optional<Eigen::Vector2d> plane_point(const PictureSize& size, const FloorValues& values, double x_px,
                                           double y_px, double z_m);

// A person's position on the floor by a box, and whether the feet agree with the head.
struct FloorPosition {
  double time_s = 0;  // of the camera's own
  Eigen::Vector2d at_m = Eigen::Vector2d::Zero();
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Identity();
  bool feet = false;
};
std::optional<FloorPosition> position_of(const PictureSize& size, const FloorValues& values,
                                         const BoxMark& mark, double height_m, double height_std_m);

}  // namespace vantage::footage_detail
