// A frame's kernels in order, submitted together: as a CUDA graph that is kept from frame to frame.
//
//   KernelSequence kernels;
//   kernels.add("find_ranges", {blocks, threads}, find_ranges, views, counters);
//   kernels.add("find_shell", {blocks, threads, Order::dependent}, find_shell, ...);
//   VANTAGE_TRY(graph_.launch(work, kernels));
//
// Buffers come from the pool and change with every frame, so the graph is not recorded from a stream but
// built from the sequence: where kernels and grids are those of the last launch, only the arguments that
// changed are set, otherwise it is built again. The host then takes about as long as for one kernel.
//
// Events do not survive inside a graph, so on frames whose kernels are timed (Work::times_kernels()) the same
// sequence is launched kernel by kernel, each with its span.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/runtime/work.h"

namespace vantage::gpu {

class KernelSequence {
 public:
  struct Kernel {
    const char* name;
    const void* function;
    LaunchGrid grid;
    size_t first, count;  // of its arguments
  };

  // The arguments by value, converted to the kernel's own parameter types.
  template <typename... Parameters, typename... Arguments>
  void add(const char* name, const LaunchGrid& grid, void (*kernel)(Parameters...),
           Arguments&&... arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments) && sizeof...(Parameters) > 0);
    kernels_.push_back(
        {name, reinterpret_cast<const void*>(kernel), grid, places_.size(), sizeof...(Parameters)});
    (put(static_cast<std::remove_cv_t<Parameters>>(std::forward<Arguments>(arguments))), ...);
  }

  const std::vector<Kernel>& kernels() const { return kernels_; }
  // As launches take them; valid until the next add() and while this lives.
  std::vector<void*> arguments(const Kernel& kernel) const;
  // The kernel at this index, the same in both, has the same arguments.
  bool same_arguments(size_t kernel, const KernelSequence& other) const;
  // Compares kernels and grids, not arguments.
  bool same_shape(const KernelSequence& other) const;

 private:
  struct Place {
    size_t offset, size;
  };
  template <typename T>
  void put(const T& argument) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
    const size_t offset = (bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    bytes_.resize(offset + sizeof(T));
    std::memcpy(bytes_.data() + offset, &argument, sizeof(T));
    places_.push_back({offset, sizeof(T)});
  }

  std::vector<Kernel> kernels_;
  std::vector<Place> places_;
  std::vector<std::byte> bytes_;
};

// A graph on one context's device. launch() on its submission thread, the rest on any.
class KernelGraph {
 public:
  explicit KernelGraph(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~KernelGraph();
  KernelGraph(const KernelGraph&) = delete;
  KernelGraph& operator=(const KernelGraph&) = delete;

  Status launch(Work& work, KernelSequence kernels);

 private:
  cudaError_t prepare(const KernelSequence& kernels);
  cudaError_t build(const KernelSequence& kernels);
  cudaError_t update(const KernelSequence& kernels);
  cudaError_t follow(cudaGraphNode_t before, cudaGraphNode_t node, Order order);
  void clear() noexcept;

  std::shared_ptr<Context> context_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  std::vector<cudaGraphNode_t> nodes_;
  KernelSequence last_;
};

}  // namespace vantage::gpu
