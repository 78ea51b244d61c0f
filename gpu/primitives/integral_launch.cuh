// Launches of integral images: a scratch begins with a counter of tickets, which blocks draw for their work
// and which number the launches as well.
#pragma once

#include <cuda_runtime.h>

#include "gpu/runtime/overlap.cuh"
#include "gpu/runtime/work.h"

namespace vantage::gpu::integral {

inline constexpr size_t kTicketBytes = 256;

struct Ticket {
  uint32_t number;  // from 0, in the order of drawing
  uint32_t launch;  // from 1
};

// By one thread of each of the launch's blocks, before its let_next_come(); every launch draws as many.
__device__ inline Ticket draw_ticket(unsigned char* scratch) {
  const unsigned long long drawn = atomicAdd(reinterpret_cast<unsigned long long*>(scratch), 1ull);
  const unsigned long long before = drawn / gridDim.x;
  return {static_cast<uint32_t>(drawn - before * gridDim.x), static_cast<uint32_t>(before) + 1};
}

// The kernel draws tickets while the one before still works (overlap.cuh), and then waits for it.
template <typename... Parameters>
cudaError_t launch_beside_previous(void (*kernel)(Parameters...), dim3 blocks, int threads, int shared_bytes,
                                   cudaStream_t stream, const Parameters&... arguments) {
  void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
  return launch_kernel(reinterpret_cast<const void*>(kernel),
                       {blocks, dim3(static_cast<unsigned>(threads)), Order::beside_previous,
                        static_cast<unsigned>(shared_bytes)},
                       pointers, stream);
}

}  // namespace vantage::gpu::integral
