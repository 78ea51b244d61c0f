// Pictures on the device turned upright (core/video/picture_turn.h).
#pragma once

#include "core/image/picture.h"
#include "core/video/picture_turn.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {

// `stored`: NV12. `upright`: of turned_format(stored.format(), turn). On the submission thread; `work` knows
// of both buffers.
Status enqueue_turn(Work& work, PictureTurn turn, const Picture& stored, Picture& upright);

}  // namespace vantage::gpu
