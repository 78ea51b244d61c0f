// CUDA error codes as vantage::Error.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

#include "core/base/result.h"

namespace vantage::gpu {

// After such an error every further call on the device fails: the device is lost for this process.
bool is_sticky(cudaError_t code);

// `what` names the call or kernel. Kinds: device_lost (sticky), out_of_memory, unsupported (no driver, no
// device, no machine code for it), else invalid_argument. Clears the thread's last error.
Error cuda_error(cudaError_t code, std::string_view what, int device);

}  // namespace vantage::gpu
