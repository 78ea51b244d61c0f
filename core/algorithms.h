// The CPU implementations of the algorithms, a line each (gpu/algorithms.h has those for CUDA). A line
// `ADD(NAME)` declares register_NAME_cpu(), which is next to the implementation and enters it into a
// registry, and makes register_cpu_backends() call it.
#pragma once

namespace vantage {

class BackendRegistry;

#define VANTAGE_CPU_ALGORITHMS(ADD) \
  ADD(memory_transfer)              \
  ADD(foreground)                   \
  ADD(ignored_painter)              \
  ADD(picture_steadier)             \
  ADD(carving)                      \
  ADD(floor_map)                    \
  ADD(occupancy_map)                \
  ADD(heads)                        \
  ADD(daisy)                        \
  ADD(height_cost)                  \
  ADD(height_solver)                \
  ADD(optical_flow)                 \
  ADD(integral_image)               \
  ADD(nms)                          \
  ADD(luma_thumbnails)              \
  ADD(signatures)                   \
  ADD(mask_sampler)                 \
  ADD(track_association)

#define VANTAGE_DECLARE(NAME) void register_##NAME##_cpu(BackendRegistry& registry);
VANTAGE_CPU_ALGORITHMS(VANTAGE_DECLARE)
#undef VANTAGE_DECLARE

// All of them.
void register_cpu_backends(BackendRegistry& registry);

}  // namespace vantage
