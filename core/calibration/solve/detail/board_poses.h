// First guesses for the bundle adjustment, by OpenCV: lenses from homographies (Z. Zhang, "A flexible new
// technique for camera calibration", 2000), poses of the board (T. Collins, A. Bartoli, "Infinitesimal
// plane-based pose estimation", 2014), and from them the cameras' poses to each other and the order of
// corners of boards that look the same after half a turn.
#pragma once

#include <Eigen/Geometry>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/calibration/solve/board.h"
#include "core/calibration/solve/bundle.h"

namespace vantage {

// fx = fy, the middle of the picture, no distortion; nothing where no view is slanted enough.
std::optional<LensValues> guess_lens(const std::vector<Board>& boards, const std::vector<BoardView>& views,
                                     int width_px, int height_px);

// The board's pose before the camera, whose pose is not read; nothing where the corners do not determine it.
std::optional<Eigen::Isometry3d> guess_pose(const Board& board, const BoardView& view,
                                            const BundleCamera& lens);

PoseValues pose_values(const Eigen::Isometry3d& pose);
Eigen::Isometry3d pose_of(const PoseValues& values);

struct PosedView {
  BoardView view;
  Eigen::Isometry3d camera_from_board;
};

// The first instant that the most cameras see, of views that count; nothing where none does.
std::optional<int64_t> instant_most_see(const std::vector<PosedView>& views,
                                        const std::function<bool(const PosedView&)>& counts);

// Hints about the orders.
struct OrderHints {
  std::vector<std::optional<Eigen::Isometry3d>> camera_from_world;  // one per camera: its rough pose
  std::optional<std::vector<bool>> half_turned;                     // one per camera, of the world's instant
};

struct RigGuess {
  std::vector<std::optional<Eigen::Isometry3d>> camera_from_world;  // nothing: without a view
  std::vector<int64_t> instants;                                    // ascending
  std::vector<Eigen::Isometry3d> world_from_board;                  // one per instant
  std::vector<BoardView> views;                                     // with their corners in one order
};

// The world is the board at `world_instant`. Fails when the views do not connect all cameras that have some,
// and when half a turn of the board in some camera cannot be determined.
Result<RigGuess> guess_rig(const Board& board, std::vector<PosedView> views,
                           const std::vector<std::string>& camera_names,
                           const std::vector<BundleCamera>& lenses, int64_t world_instant,
                           const OrderHints& hints);

// A camera's pose from points whose place is known, without a guess, by OpenCV's SQPNP.

// seen: where they are seen, in normalised undistorted coordinates. Nothing where fewer than four are given
// or they do not place the camera.
std::optional<Eigen::Isometry3d> pose_of_points(std::span<const Eigen::Vector3d> points_in_world_m,
                                                std::span<const Eigen::Vector2d> seen);

}  // namespace vantage
