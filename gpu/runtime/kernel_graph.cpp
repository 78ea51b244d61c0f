#include "gpu/runtime/kernel_graph.h"

#include <algorithm>

#include "gpu/runtime/cuda_error.h"

namespace vantage::gpu {
namespace {

// `arguments` has to outlive it.
cudaKernelNodeParams node_parameters(const KernelSequence::Kernel& kernel, std::vector<void*>& arguments) {
  cudaKernelNodeParams parameters{};
  parameters.func = const_cast<void*>(kernel.function);
  parameters.gridDim = kernel.grid.blocks;
  parameters.blockDim = kernel.grid.threads;
  parameters.sharedMemBytes = kernel.grid.shared_bytes;
  parameters.kernelParams = arguments.data();
  return parameters;
}

cudaError_t make_cooperative(cudaGraphNode_t node) {
  cudaLaunchAttributeValue value{};
  value.cooperative = 1;
  return cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value);
}

bool equal(dim3 a, dim3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

Status launch_one_by_one(Work& work, const KernelSequence& kernels) {
  for (const KernelSequence::Kernel& kernel : kernels.kernels()) {
    std::vector<void*> arguments = kernels.arguments(kernel);
    VANTAGE_TRY(work.launch_kernel(kernel.name, kernel.function, kernel.grid, arguments.data()));
  }
  return {};
}

}  // namespace

std::vector<void*> KernelSequence::arguments(const Kernel& kernel) const {
  std::vector<void*> pointers(kernel.count);
  // Launches copy the arguments and do not write to them.
  for (size_t i = 0; i < kernel.count; ++i)
    pointers[i] = const_cast<std::byte*>(bytes_.data() + places_[kernel.first + i].offset);
  return pointers;
}

bool KernelSequence::same_arguments(size_t kernel, const KernelSequence& other) const {
  const Kernel &mine = kernels_[kernel], &theirs = other.kernels_[kernel];
  for (size_t i = 0; i < mine.count; ++i) {
    const Place &here = places_[mine.first + i], &there = other.places_[theirs.first + i];
    if (std::memcmp(bytes_.data() + here.offset, other.bytes_.data() + there.offset, here.size) != 0)
      return false;
  }
  return true;
}

bool KernelSequence::same_shape(const KernelSequence& other) const {
  return std::equal(kernels_.begin(), kernels_.end(), other.kernels_.begin(), other.kernels_.end(),
                    [](const Kernel& a, const Kernel& b) {
                      return a.function == b.function && equal(a.grid.blocks, b.grid.blocks) &&
                             equal(a.grid.threads, b.grid.threads) && a.grid.order == b.grid.order &&
                             a.grid.shared_bytes == b.grid.shared_bytes;
                    });
}

KernelGraph::~KernelGraph() {
  context_->run_always([this] { clear(); });
}

Status KernelGraph::launch(Work& work, KernelSequence kernels) {
  if (work.times_kernels()) return launch_one_by_one(work, kernels);
  VANTAGE_TRY(context_->status());
  if (const cudaError_t code = prepare(kernels); code != cudaSuccess) {
    clear();
    return context_->check(code, "kernel graph");
  }
  last_ = std::move(kernels);
  return context_->check(cudaGraphLaunch(executable_, work.stream().handle()), "kernel graph");
}

cudaError_t KernelGraph::prepare(const KernelSequence& kernels) {
  return executable_ && kernels.same_shape(last_) ? update(kernels) : build(kernels);
}

cudaError_t KernelGraph::follow(cudaGraphNode_t before, cudaGraphNode_t node, Order order) {
  cudaGraphEdgeData edge{};
  if (order == Order::dependent && context_->limits().dependent_launches) {
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    edge.type = cudaGraphDependencyTypeProgrammatic;
  }
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph_, &before, &node, &edge, 1);
#else
  return cudaGraphAddDependencies_v2(graph_, &before, &node, &edge, 1);
#endif
}

cudaError_t KernelGraph::build(const KernelSequence& kernels) {
  clear();
  cudaError_t code = cudaGraphCreate(&graph_, 0);
  for (const KernelSequence::Kernel& kernel : kernels.kernels()) {
    if (code != cudaSuccess) return code;
    std::vector<void*> arguments = kernels.arguments(kernel);
    const cudaKernelNodeParams parameters = node_parameters(kernel, arguments);
    cudaGraphNode_t node = nullptr;
    code = cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters);
    if (code == cudaSuccess && kernel.grid.order == Order::cooperative) code = make_cooperative(node);
    if (code == cudaSuccess && !nodes_.empty()) code = follow(nodes_.back(), node, kernel.grid.order);
    if (code == cudaSuccess) nodes_.push_back(node);
  }
  return code == cudaSuccess ? cudaGraphInstantiate(&executable_, graph_, 0) : code;
}

cudaError_t KernelGraph::update(const KernelSequence& kernels) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (kernels.same_arguments(i, last_)) continue;
    const KernelSequence::Kernel& kernel = kernels.kernels()[i];
    std::vector<void*> arguments = kernels.arguments(kernel);
    const cudaKernelNodeParams parameters = node_parameters(kernel, arguments);
    const cudaError_t code = cudaGraphExecKernelNodeSetParams(executable_, nodes_[i], &parameters);
    if (code != cudaSuccess) return code;
  }
  return cudaSuccess;
}

void KernelGraph::clear() noexcept {
  if (!process_is_exiting()) {
    if (executable_) cudaGraphExecDestroy(executable_);
    if (graph_) cudaGraphDestroy(graph_);
  }
  executable_ = nullptr;
  graph_ = nullptr;
  nodes_.clear();
}

}  // namespace vantage::gpu
