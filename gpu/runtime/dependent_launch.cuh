// For kernels that are launched with Order::dependent (work.h): each comes onto the device while the one
// before works, and waits there for all of its results.
//
// Results of the kernel before must not be read by __ldg(), which may have cached older values. A thread
// that leaves without grid_dependency_sync() must not be the only one of its kernel: a kernel that waits for
// this one relies on it having waited for those before it.
#pragma once

namespace vantage::gpu {

// Programmatic dependent launch came with compute capability 9.0; before it, and where kernels were compiled
// for an older one, they follow one another (DeviceLimits::dependent_launches).

// The next kernel may begin, once every thread block of this one has called this or has ended.
__device__ inline void trigger_dependent_launch() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
// Waits until the kernel before has ended and its writes can be read.
__device__ inline void grid_dependency_sync() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace vantage::gpu
