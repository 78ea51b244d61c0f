// The parts of register_primitives_cuda().
#pragma once

#include "core/backend/registry.h"
#include "core/primitives/integral_image.h"
#include "core/primitives/luma_thumbnail.h"
#include "core/primitives/nms.h"

namespace vantage::gpu {

void register_integral_image_cuda(BackendRegistry& registry);
void register_luma_thumbnails_cuda(BackendRegistry& registry);
void register_nms_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
