// First guesses where several boards are joined rigidly: carried on one thing, or lying still in one scene.
// Cameras are placed by boards that two see at once, boards by cameras that see two at once, over chains of
// both. Where no camera sees what another one sees, as with boards back to back between two cameras, a
// board's way before the one and another board's way before the other tell both how the boards and how the
// cameras stand to each other (M. Shah, "Solving the robot-world/hand-eye calibration problem using the
// Kronecker product", 2013).
//
// Pictures of a hand-held camera show two boards or more at once and say how these stand to each other.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/calibration/solve/board_solve.h"
#include "core/calibration/solve/detail/board_poses.h"

namespace vantage {

// A picture of a hand-held camera, by which boards are linked.
struct LinkingPicture {
  Eigen::Isometry3d camera_from_board;  // of JoinedBoards::root
  std::vector<BoardView> views;
};

struct JoinedBoards {
  size_t root = 0;  // the first board that is placed
  // As stated, or the first at which the most cameras see boards that are placed.
  int64_t world_instant = 0;
  std::vector<std::optional<Eigen::Isometry3d>>
      root_from_board;  // nothing: linked with no other, and left out
  // Poses of `root`; views of boards that are placed. Hand-held cameras have no place.
  RigGuess rig;
  std::vector<LinkingPicture> pictures;
  // Hand-held cameras' pictures of one board, and views of boards that are left out: they tell of lenses
  // alone.
  std::vector<BoardView> without_link;
};

struct JoinedInput {
  const std::vector<Board>& boards;
  const std::vector<std::string>& camera_names;
  const std::vector<BundleCamera>& lenses;
  const std::vector<bool>& hand_held;         // one per camera
  std::optional<int64_t> world_instant = {};  // nothing: JoinedBoards chooses it
};

// The world is the board `root` at the world's instant, seen or not. Fails where cameras are not linked, and
// says what to record.
Result<JoinedBoards> join_boards(const JoinedInput& input, std::vector<PosedView> views);

// Places by board, as the adjustment left them.
std::vector<BoardPlace> board_places(const JoinedBoards& joined, const Bundle& bundle,
                                     const BundleReport& report);

// b = z a x.
struct HandEye {
  Eigen::Isometry3d z, x;
};
// Solves pairs (a, b), some of which may be wrong. Nothing where fewer than three or their turns, all about
// one axis, leave it open.
std::optional<HandEye> solve_hand_eye(std::span<const std::pair<Eigen::Isometry3d, Eigen::Isometry3d>> pairs);

}  // namespace vantage
