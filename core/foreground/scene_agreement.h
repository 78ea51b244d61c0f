// Which of two surfaces is the scene, by agreement with the blocks around.
//
// Whoever stands before the scene hides neighbouring blocks in the same pictures: their two modes, scene and
// person, are shown in nearly the same pictures as those of the block beside. So blocks are joined to
// regions. With S and S' the pictures that show a block's two modes, and J(A, B) = |A and B| / |A or B|, two
// blocks at most kAgreementReach apart in a row or column are joined
//
//   as they are   where  min(J(S_a, S_b), J(S'_a, S'_b))  is at least kAlike
//   crosswise     where  min(J(S_a, S'_b), J(S'_a, S_b))  is, and is the larger one
//
// In a region the same surface is the scene: a single block errs easily, where somebody stands longer than
// the floor is seen; a whole body seldom does, and what was crossed on the way there says which of both is
// the floor. With d the lead of a block's first mode over its second one, in score, and +d where it votes for
// one surface, -d for the other, a region has decided where |sum of +-d| is at least kConsensus times the sum
// of d; blocks that voted otherwise then follow. Where nobody moved far, as in a recording of a second,
// halves of a body vote for different surfaces, and each block keeps its own.
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
