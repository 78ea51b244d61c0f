// Paths of people on the floor of each camera, and how well two cameras' paths are the same people's.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/calibration/people/detail/floor_view.h"

namespace vantage::footage_detail {

inline constexpr double kPathStep_s = 0.2;

struct PathPoint {
  bool known = false;
  Eigen::Vector2d at_m = Eigen::Vector2d::Zero();
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Identity();
};

// A track's positions every kPathStep_s of the camera's own time, from step `first` on.
struct FloorPath {
  long first = 0;
  std::vector<PathPoint> points;
  size_t track = 0;
  double extent_m = 0;  // of the positions, as a standard deviation
  long end() const { return first + static_cast<long>(points.size()); }
  std::optional<PathPoint> at(double time_s) const;
};

// All paths of a camera, on its own floor: its yaw, position and delay are 0.
struct FloorPaths {
  PictureSize size;
  FloorView view;
  std::vector<FloorPath> paths;
  std::vector<double> height_std_m;  // by track

  // Share of all positions near one, for each square metre.
  double density(const Eigen::Vector2d& at_m) const;
  void count_cells();
  std::vector<std::vector<int>> cells = {};
  long low_x = 0, low_y = 0;
  int counted = 0;
};

FloorPaths floor_paths(const PictureSize& size, const std::vector<PictureTrack>& tracks,
                       const FloorView& view, const HeightPrior& prior);

// Where a camera is: from its own floor to the world's.
struct FloorPose {
  double yaw = 0;
  Eigen::Vector2d at_m = Eigen::Vector2d::Zero();
  double delay_s = 0;

  Eigen::Matrix2d rotation() const;
  Eigen::Vector2d operator()(const Eigen::Vector2d& own) const { return rotation() * own + at_m; }
  // A pose by this one's floor and time, in the world's.
  FloorPose then(const FloorPose& next) const;
  FloorPose inverse() const;
  void put_into(FloorValues* values) const;
};
FloorPose pose_of(const FloorValues& values);

struct PlacedPaths {
  const FloorPaths* paths;
  FloorPose pose;
};

// How much more likely the positions of both are if the people are the same than if they have nothing to do
// with each other (logarithm). `slop_m`: the standard deviation of what is not the boxes' own. Standing
// people tell little: their positions are likely anyway. `together`: the number of common positions.
double likelihood_together(const PlacedPaths& a, const PlacedPaths& b, double slop_m,
                           int* together = nullptr);

// Improves the pose of `moving` by those of its people who are with others' of `placed`, within `reach_m`.
// False: there are too few.
bool fit_pose(const std::vector<PlacedPaths>& placed, double reach_m, double slop_m, PlacedPaths* moving);

// Poses of b on the floor and by the time of a that single paths propose, the likeliest first.
struct PoseProposal {
  FloorPose pose;
  double gain = 0;
};
std::vector<PoseProposal> propose_poses(const FloorPaths& a, const FloorPaths& b, double max_offset_s);

}  // namespace vantage::footage_detail
