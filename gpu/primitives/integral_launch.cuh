// What our two integral images share about launches: a scratch begins with a counter of tickets, which blocks
// draw for their work and which number the launches as well.
#pragma once

#include <cuda_runtime.h>

#include "gpu/runtime/overlap.cuh"
#include "gpu/runtime/work.h"

namespace vantage::gpu::integral {

inline constexpr size_t kTicketBytes = 256;

__device__ inline long long take_ticket(unsigned char* scratch) {
  return static_cast<long long>(atomicAdd(reinterpret_cast<unsigned long long*>(scratch), 1ull));
}

inline int multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

// The kernel draws tickets while the one before still works (overlap.cuh), and then waits for it.
template <typename... Parameters>
cudaError_t launch_beside_previous(void (*kernel)(Parameters...), dim3 blocks, int threads,
                                   cudaStream_t stream, const Parameters&... arguments) {
  void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
  return launch_kernel(reinterpret_cast<const void*>(kernel),
                       {blocks, dim3(static_cast<unsigned>(threads)), Order::beside_previous}, pointers,
                       stream);
}

}  // namespace vantage::gpu::integral
