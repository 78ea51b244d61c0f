// The CUDA implementations of the algorithms, a line each, as core/algorithms.h has those for the CPU:
// `ADD(NAME)` declares register_NAME_cuda(), which stands next to the implementation, and makes
// register_cuda_backends() call it.
#pragma once

namespace vantage {
class BackendRegistry;
}

namespace vantage::gpu {

#define VANTAGE_CUDA_ALGORITHMS(ADD) \
  ADD(memory_transfer)               \
  ADD(foreground)                    \
  ADD(ignored_painter)               \
  ADD(picture_steadier)              \
  ADD(carving)                       \
  ADD(floor_map)                     \
  ADD(occupancy_map)                 \
  ADD(heads)                         \
  ADD(daisy)                         \
  ADD(height_cost)                   \
  ADD(height_solver)                 \
  ADD(optical_flow)                  \
  ADD(integral_image)                \
  ADD(nms)                           \
  ADD(luma_thumbnails)               \
  ADD(signatures)                    \
  ADD(mask_sampler)                  \
  ADD(track_association)

#define VANTAGE_DECLARE(NAME) void register_##NAME##_cuda(BackendRegistry& registry);
VANTAGE_CUDA_ALGORITHMS(VANTAGE_DECLARE)
#undef VANTAGE_DECLARE

}  // namespace vantage::gpu
