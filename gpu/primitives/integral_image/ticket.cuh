// A scratch begins with a counter of tickets, which thread blocks draw for their work and which number the
// launches as well.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vantage::gpu::integral {

inline constexpr size_t kTicketBytes = 256;

struct Ticket {
  uint32_t number;  // from 0, in the order of drawing
  uint32_t launch;  // from 1
};

// Called by one thread of each of the launch's blocks, before its trigger_dependent_launch(); every launch
// draws as many.
__device__ inline Ticket draw_ticket(unsigned char* scratch) {
  const unsigned long long drawn = atomicAdd(reinterpret_cast<unsigned long long*>(scratch), 1ull);
  const unsigned long long before = drawn / gridDim.x;
  return {static_cast<uint32_t>(drawn - before * gridDim.x), static_cast<uint32_t>(before) + 1};
}

}  // namespace vantage::gpu::integral
