// The CUDA implementation of core/optical_flow/optical_flow.h, for the registry. A frame is one CUDA graph.
#pragma once

#include "core/backend/registry.h"

namespace vantage::gpu {

void register_optical_flow_cuda(BackendRegistry& registry);

}  // namespace vantage::gpu
