// Changes of a camera's view since its empty-scene clip: things that were put there or taken away.
//
// Clip and recording are compared by the scenes learnt from pictures of each (scene.h), in one light. Blocks
// of another colour form regions, with at most kChangeReach blocks between them. A person in the recording
// moves, or leaves: some of a region's blocks then show something else at times. A region is a thing if all
// of its blocks but one in 200 showed the same surface in nine of ten pictures. Its surface in the recording
// is the scene.
//
// So a person who sits before the camera for a whole recording is not a thing as long as a hand, the head or
// an outline moves by a pixel, and a chair on which a person sat remains in the masks. So do small regions:
// they may be parts of a person. In a recording of less than kMinChange_s people may keep still; nothing is
// found there.
#pragma once

#include <algorithm>

#include "core/base/result.h"
#include "core/foreground/gaussian_pixel.h"
#include "core/foreground/scene.h"
#include "core/image/picture.h"

namespace vantage {

inline constexpr int kChangeReach = 4;       // blocks
inline constexpr int kMinChangeBlocks = 64;  // of a region
inline constexpr double kMinChange_s = 5;

struct SceneChange {
  Image things;  // u8 by 2x2 block: 255 where the recording's surface is the scene, else 0
  // The recording's scene in the clip's light: mean less and plus the deviation; none where nothing changed.
  Picture dark, bright;
  double share = 0;  // of the picture
};

// `unseen`: u8 by 2x2 block, not 0 where the clip shows nothing; there the recording's surface is the scene.
// An empty image: nowhere. `only_unseen`: elsewhere the clip's surface is kept. Errors: invalid_argument for
// scenes of different formats; out_of_memory.
Result<SceneChange> find_scene_change(const LearntScene& clip, const LearntScene& recording,
                                      const Image& unseen = {}, bool only_unseen = false);

// The clip's picture as it would be with those things. Pictures of odd and of even `index` together have the
// surface's mean and deviation. `picture`: I420, in host memory, of the scenes' format.
Result<Picture> with_change(const Picture& picture, const SceneChange& change, int64_t index);

// The light of one picture of a scene compared with another's, on the host: for learning the scene.

// A block's mean luma; blocks at an odd border repeat their last samples. `x`, `y` in 2x2 blocks.
inline float block_luma(const ImageView<const uint8_t>& luma, int x, int y) {
  const int right = std::min(2 * x + 1, luma.width - 1), below = std::min(2 * y + 1, luma.height - 1);
  const uint8_t *upper = luma.row(2 * y), *lower = luma.row(below);
  return 0.25f * static_cast<float>(upper[2 * x] + upper[right] + lower[2 * x] + lower[right]);
}

// The gains of a picture's light over the reference's (light_change.h). Both I420, in host memory, of one
// format.
LightGains light_between(const Picture& picture, const Picture& reference);

}  // namespace vantage
