// Whether the process is past main(). The CUDA runtime tears itself down then, so nothing may call it any
// more; what the driver holds goes with the process.
#pragma once

namespace vantage::gpu {

// To be called after the first CUDA call: exit handlers run in reverse order, so ours then runs before
// CUDA's.
void watch_process_exit();
bool process_is_exiting();

}  // namespace vantage::gpu
