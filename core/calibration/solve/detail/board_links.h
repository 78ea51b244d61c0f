// Which cameras and which boards of several that are joined rigidly are linked, and how they stand to each
// other; the steps are those of joined_boards.h.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <vector>

#include "core/calibration/solve/detail/joined_boards.h"

namespace vantage {

// Groups of what is linked, named by the lowest of their members, in whose coordinates they are.
struct BoardLinks {
  std::vector<int> camera_group;                                    // hand-held cameras have one each
  std::vector<std::optional<Eigen::Isometry3d>> camera_from_group;  // nothing: hand-held, or without a view
  std::vector<int> board_group;
  std::vector<Eigen::Isometry3d> group_from_board;
};

// Links of which more views tell come first.
BoardLinks link_boards(const JoinedInput& input, const std::vector<PosedView>& views);

}  // namespace vantage
