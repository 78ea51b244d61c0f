// An empty scene for a camera that has no empty-scene clip, from pictures spread over its recording.
//
// Learning from a recording's own first frames leaves people who stood there in the background, and their
// shapes show as foreground from the same frame on in every camera: the cameras then seem to have started
// together, whatever they show. What most of a dozen pictures far apart agree on is empty: the median of each
// sample. A picture's samples further than kSceneSpread from it are somebody, and are replaced by it, so that
// a model learns the scene's own noise.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

inline constexpr int kScenePictures = 15;
inline constexpr int kSceneSpread = 12;  // 8-bit steps

// As many pictures as were given, in host memory and of one format, without what moves. Errors:
// invalid_argument for pictures of different formats.
Result<std::vector<Picture>> empty_scene(const std::vector<Picture>& pictures);

}  // namespace vantage
