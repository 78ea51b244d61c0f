#include "gpu/optical_flow/flow_step.h"

#include <utility>

namespace vantage::gpu {
namespace {

cudaKernelNodeParams node_parameters(const FlowStep& step, void** argument) {
  // The runtime copies the arguments and does not write to them.
  *argument = const_cast<std::byte*>(step.arguments.data());
  cudaKernelNodeParams parameters{};
  parameters.func = const_cast<void*>(step.kernel);
  parameters.gridDim = step.grid;
  parameters.blockDim = step.block;
  parameters.sharedMemBytes = step.shared_bytes;
  parameters.kernelParams = argument;
  return parameters;
}

bool equal(dim3 a, dim3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

}  // namespace

cudaError_t FlowGraph::launch(std::vector<FlowStep> steps, cudaStream_t stream) {
  const cudaError_t ready = has_shape_of(steps) ? update(steps) : build(steps);
  if (ready != cudaSuccess) {
    clear();
    return ready;
  }
  steps_ = std::move(steps);
  return cudaGraphLaunch(executable_, stream);
}

bool FlowGraph::has_shape_of(const std::vector<FlowStep>& steps) const {
  if (!executable_ || steps.size() != steps_.size()) return false;
  for (size_t i = 0; i < steps.size(); ++i)
    if (steps[i].kernel != steps_[i].kernel || !equal(steps[i].grid, steps_[i].grid) ||
        !equal(steps[i].block, steps_[i].block) || steps[i].shared_bytes != steps_[i].shared_bytes)
      return false;
  return true;
}

cudaError_t FlowGraph::follow(cudaGraphNode_t before, cudaGraphNode_t node, Order order) {
  cudaGraphEdgeData edge{};
  if (order == Order::beside_previous && device_overlaps_kernels()) {
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    edge.type = cudaGraphDependencyTypeProgrammatic;
  }
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph_, &before, &node, &edge, 1);
#else
  return cudaGraphAddDependencies_v2(graph_, &before, &node, &edge, 1);
#endif
}

cudaError_t FlowGraph::build(const std::vector<FlowStep>& steps) {
  clear();
  cudaError_t code = cudaGraphCreate(&graph_, 0);
  for (size_t i = 0; i < steps.size() && code == cudaSuccess; ++i) {
    void* argument = nullptr;
    const cudaKernelNodeParams parameters = node_parameters(steps[i], &argument);
    cudaGraphNode_t node = nullptr;
    code = cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters);
    if (code == cudaSuccess && !nodes_.empty()) code = follow(nodes_.back(), node, steps[i].order);
    if (code == cudaSuccess) nodes_.push_back(node);
  }
  return code == cudaSuccess ? cudaGraphInstantiate(&executable_, graph_, 0) : code;
}

cudaError_t FlowGraph::update(const std::vector<FlowStep>& steps) {
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].arguments == steps_[i].arguments) continue;
    void* argument = nullptr;
    const cudaKernelNodeParams parameters = node_parameters(steps[i], &argument);
    const cudaError_t code = cudaGraphExecKernelNodeSetParams(executable_, nodes_[i], &parameters);
    if (code != cudaSuccess) return code;
  }
  return cudaSuccess;
}

void FlowGraph::clear() noexcept {
  if (executable_) cudaGraphExecDestroy(executable_);
  if (graph_) cudaGraphDestroy(graph_);
  executable_ = nullptr;
  graph_ = nullptr;
  nodes_.clear();
  steps_.clear();
}

}  // namespace vantage::gpu
