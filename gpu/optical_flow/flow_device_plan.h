// A FlowPlan on a device: its tables, the working memory of every level, and the launches that make up a
// frame.
#pragma once

#include <vector>

#include "core/optical_flow/flow_plan.h"
#include "gpu/optical_flow/flow_arguments.h"
#include "gpu/runtime/kernel_graph.h"

namespace vantage::gpu {

// How a level is iterated on.
struct IterateLaunch {
  const char* name = "";  // the kernel's
  void (*kernel)(IterateArguments) = nullptr;
  int core_width = 0, core_height = 0, iterations = 1;  // of a block, of a launch
  unsigned threads = 0, shared_bytes = 0;
};

class FlowDevicePlan {
 public:
  // shared_limit_bytes: the most shared memory a block may have.
  FlowDevicePlan(FlowPlan plan, size_t shared_limit_bytes);

  const FlowPlan& plan() const { return plan_; }
  // Tables: bytes to copy to the device once. Working memory: no content needed.
  const std::vector<std::byte>& tables() const { return tables_; }
  size_t memory_bytes() const { return memory_bytes_; }
  void place(std::byte* tables, std::byte* memory);
  // Why the parameters cannot run on this device; empty when they can.
  const char* obstacle() const {
    return core_.width > 0 ? "" : "the window needs more shared memory than it has";
  }

  // Expands a picture into slot 0 or 1.
  void add_expand(KernelSequence& kernels, ImageView<const uint8_t> picture, int slot) const;
  // The flow from the picture in slot `earlier` to the one in the other slot. initial: full size, or without
  // data. back: where the flow the other way goes, which begins with none; without data it is not estimated.
  void add_solve(KernelSequence& kernels, int earlier, FlowView initial, FlowView out, FlowView back) const;
  void add_finish(KernelSequence& kernels, const FinishArguments& arguments) const;
  // Working memory for the flow back.
  FlowView back() const { return back_; }

 private:
  struct Core {
    int width = 0, height = 0, iterations = 1;
  };
  struct Level {
    AxisTable image_x, image_y, coarse_x, coarse_y;
    float *columns = nullptr, *image = nullptr;
    ExpansionView expansion[2];
    FlowView flow[2][2];  // by direction, in turn
  };
  IterateLaunch launch_for(int width, int height) const;
  // The launches that iterate on level k; afterwards `arguments` starts from what they made.
  void add_iterations(KernelSequence& kernels, size_t k, int directions, FlowView out, FlowView back,
                      IterateArguments& arguments) const;
  Core choose_core(size_t shared_limit_bytes, int64_t pixels) const;
  size_t shared_bytes(const Core& core) const;
  // Visits every table and piece of memory in layout order.
  template <typename Table, typename Memory>
  void lay_out(const Table& table, const Memory& memory);

  FlowPlan plan_;
  std::vector<Level> levels_;
  AxisTable initial_x_, initial_y_;
  FlowView back_;
  Core core_, small_core_;  // of large levels, and of those too small to fill the device
  std::vector<std::byte> tables_;
  size_t memory_bytes_ = 0;
};

// Lets the iteration kernels use that much shared memory. On the submission thread, once a device.
Status allow_flow_shared_memory(Context& context, size_t bytes);

}  // namespace vantage::gpu
