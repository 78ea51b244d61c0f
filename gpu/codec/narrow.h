// Surfaces of 10 bits to pictures of 8.
#pragma once

#include <cstdint>

#include "core/image/image_view.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {

// Each sample v of 10 bits, in the upper bits of its 16 (P010), becomes min(255, (v + 2) / 4), as
// PictureCopier does in software. `from`: in device memory, even. On the submission thread.
Status enqueue_narrow(Work& work, const uint8_t* from, size_t from_stride_bytes,
                      const ImageView<uint8_t>& to);

}  // namespace vantage::gpu
