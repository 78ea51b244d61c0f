// The empty scene of a camera that has no empty-scene clip, from pictures spread over its whole recording.
// Explanation: resources/docs/algorithms/foreground.md.
//
// Each 2x2 block of pixels has modes of its colour (mean Y', Cb, Cr) over the pictures, in one light. The
// scene is the mode with the best
//
//   score = support + span - unsteadiness
//
// support the share of the pictures, span that of the recording from its first picture to its last one,
// unsteadiness 0 to 0.5 for a deviation of brightness from 2 to 4 steps; blocks that are hidden in the same
// pictures decide together (scene_agreement.h). The learnt scene is each sample's mean and standard deviation
// over the pictures of the block's mode, as two pictures: mean - deviation and mean + deviation. A
// ForegroundModel that learns both has that mean and that variance, on every device. Parts that the pictures
// never show empty are learnt as they were; `seen` is how often each block showed what was learnt.
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/geometry/ignored_region.h"
#include "core/image/picture.h"

namespace vantage {

class RestView;

inline constexpr int kMaxScenePictures = 80;  // more show nothing new
inline constexpr int kMinScenePictures = 12;  // fewer do not separate people from the scene

// A picture of the recording.
struct SceneSample {
  Picture picture;
  int64_t frame = 0;
};

struct LearntScene {
  Picture dark, bright;  // mean less and plus the standard deviation; I420, in host memory
  Image seen;            // u8 by 2x2 block: share of the pictures that showed what was learnt, 255 = all
  int pictures = 0;
  std::vector<float> light;  // by picture: its brightness compared with the reference's
  // The view at rest of a shaking camera, which the scene shows, and the maximum offset of a picture from it.
  // Null: the camera keeps still, or was not examined.
  std::shared_ptr<const RestView> rest;
  double shake_px = 0;
};

// The share of the picture in blocks that showed the learnt scene in less than half of the pictures.
// Ignored regions are left out.
double seldom_seen_share(const LearntScene& scene, const IgnoredRegions& ignored = {});

// `samples` in the order of time, I420, in host memory, all of one format; at least kMinScenePictures and
// at most kMaxScenePictures. Errors: invalid_argument for other samples; cancelled; out_of_memory.
Result<LearntScene> learn_scene(const std::vector<SceneSample>& samples, const StopSource& stop);

}  // namespace vantage
