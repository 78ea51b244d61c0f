// For kernels that are launched with Order::beside_previous (work.h): each comes onto the device while the
// one before works, and waits there for all of its results.
//
// What the kernel before writes is not to be read by __ldg(): that may have cached it from before. A thread
// that leaves without waiting must not be the only one of its kernel: who waits for a kernel relies on that
// kernel having waited for those before it.
#pragma once

namespace vantage::gpu {

// Programmatic dependent launch came with compute capability 9.0; before it kernels follow one another.
__device__ inline void let_next_come() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
__device__ inline void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace vantage::gpu
