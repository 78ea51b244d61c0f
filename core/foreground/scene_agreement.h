// Which of two surfaces is the scene, by agreement with the blocks around. Explanation:
// resources/docs/algorithms/foreground.md.
//
// Blocks are joined to regions. With S and S' the pictures that show a block's two modes, and J(A, B) =
// |A and B| / |A or B|, two blocks at most kAgreementReach apart in a row or column are joined
//
//   as they are   where  min(J(S_a, S_b), J(S'_a, S'_b))  is at least kAlike
//   crosswise     where  min(J(S_a, S'_b), J(S'_a, S_b))  is, and is the larger one
//
// In a region the same surface is the scene. With d the lead of a block's first mode over its second one, in
// score, and +d where it votes for one surface, -d for the other, a region has decided where |sum of +-d| is
// at least kConsensus times the sum of d; blocks that voted otherwise then follow. Else each keeps its own.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/foreground/scene_modes.h"

namespace vantage {

inline constexpr int kAgreementReach = 2;  // blocks
inline constexpr float kAlike = 0.5f;
inline constexpr double kConsensus = 0.5;

// Exchanges both modes of blocks where the other one is their region's scene. `blocks` by row. Errors:
// cancelled.
Status choose_by_agreement(std::vector<SceneModes>& blocks, int columns, const StopSource& stop);

}  // namespace vantage
