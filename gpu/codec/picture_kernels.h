// Pictures on the device to the colours that Vantage works in (core/video/working_colors.h).
#pragma once

#include <cstdint>

#include "core/image/image_view.h"
#include "core/image/picture.h"
#include "core/video/picture_turn.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {

// `from`: NV12. `to`: of working_format(from.format()). Bit by bit what convert_to_working_colors() gives. On
// the submission thread; `work` knows of both buffers.
Status enqueue_convert_colors(Work& work, const Picture& from, Picture& to);

// Surfaces of 10 bits to pictures of 8.

// Each sample v of 10 bits, in the upper bits of its 16 (P010), becomes min(255, (v + 2) / 4), as
// PictureCopier does in software. `from`: in device memory, even. On the submission thread.
Status enqueue_narrow(Work& work, const uint8_t* from, size_t from_stride_bytes,
                      const ImageView<uint8_t>& to);

// Pictures on the device turned upright (core/video/picture_turn.h).

// `stored`: NV12. `upright`: of turned_format(stored.format(), turn). On the submission thread; `work` knows
// of both buffers.
Status enqueue_turn(Work& work, PictureTurn turn, const Picture& stored, Picture& upright);

}  // namespace vantage::gpu
