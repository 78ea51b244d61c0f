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

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/foreground/scene.h"

namespace vantage {

// The surfaces that one 2x2 block of a camera's picture showed in the course of a recording: the modes of its
// colour.

// Bit i: picture i.
using ScenePictures = std::array<uint64_t, 2>;
static_assert(kMaxScenePictures <= 128);

inline bool holds(const ScenePictures& pictures, int i) {
  return pictures[i / 64] >> (i % 64) & 1;
}

struct SceneMode {
  ScenePictures shown = {};  // the pictures that show it; none: there is no such mode
  float score = 0;           // scene.h

  bool exists() const { return (shown[0] | shown[1]) != 0; }
};

// A block's two modes of highest score; what is chosen is taken for the scene.
struct SceneModes {
  SceneMode chosen, other;
};

class BlockModes {
 public:
  // `times`: when each picture was taken, from 0 for the first to 1 for the last; they outlive this.
  BlockModes(const float* times, int count) : times_(times), count_(count) {}

  // Values by picture: the block's colour in the light of the reference, 8-bit steps, and 1 where the block
  // did not move, else 0.
  SceneModes find(const float* y, const float* cb, const float* cr);

 private:
  int take_mode(int mode);
  bool within(int i, float y, float cb, float cr) const;
  int count_near(float y, float cb, float cr) const;
  float score_of(int mode, int members) const;
  ScenePictures pictures_of(int mode) const;

  const float* times_;
  int count_;
  const float *y_ = nullptr, *cb_ = nullptr, *cr_ = nullptr;
  int mode_[kMaxScenePictures] = {};
};

inline constexpr int kAgreementReach = 2;  // blocks
inline constexpr float kAlike = 0.5f;
inline constexpr double kConsensus = 0.5;

// Exchanges both modes of blocks where the other one is their region's scene. `blocks` by row. Errors:
// cancelled.
Status choose_by_agreement(std::vector<SceneModes>& blocks, int columns, const StopSource& stop);

}  // namespace vantage
