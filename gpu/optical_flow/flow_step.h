// A frame of optical flow as a list of kernel launches in order, and the CUDA graph made from it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "gpu/runtime/work.h"

namespace vantage::gpu {

struct FlowStep {
  const void* kernel = nullptr;
  dim3 grid, block;
  unsigned shared_bytes = 0;
  std::vector<std::byte> arguments;
  Order order = Order::after_previous;
};

template <typename Arguments>
FlowStep make_step(void (*kernel)(Arguments), dim3 grid, dim3 block, unsigned shared_bytes,
                   const Arguments& arguments, Order order = Order::after_previous) {
  static_assert(std::is_trivially_copyable_v<Arguments>);
  FlowStep step{reinterpret_cast<const void*>(kernel), grid, block, shared_bytes, {}, order};
  step.arguments.resize(sizeof arguments);
  std::memcpy(step.arguments.data(), &arguments, sizeof arguments);
  return step;
}

// One executable graph, kept from frame to frame: only the arguments that changed are set again. On the
// submission thread.
class FlowGraph {
 public:
  FlowGraph() = default;
  ~FlowGraph() { clear(); }
  FlowGraph(const FlowGraph&) = delete;
  FlowGraph& operator=(const FlowGraph&) = delete;

  cudaError_t launch(std::vector<FlowStep> steps, cudaStream_t stream);
  void clear() noexcept;

 private:
  bool has_shape_of(const std::vector<FlowStep>& steps) const;
  cudaError_t follow(cudaGraphNode_t before, cudaGraphNode_t node, Order order);
  cudaError_t build(const std::vector<FlowStep>& steps);
  cudaError_t update(const std::vector<FlowStep>& steps);

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  std::vector<cudaGraphNode_t> nodes_;
  std::vector<FlowStep> steps_;
};

}  // namespace vantage::gpu
