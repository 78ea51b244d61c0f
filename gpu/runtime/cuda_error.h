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

// Process exit, past main(): the CUDA runtime tears itself down, so nothing may call it any more. The
// driver's resources end with the process.

// To be called after the first CUDA call: exit handlers run in reverse order, so this one then runs before
// CUDA's.
void watch_process_exit();
bool process_is_exiting();

}  // namespace vantage::gpu
