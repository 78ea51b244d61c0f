// The integral image on a GPU, in one pass: every input element is read once, every output element written
// once. Contract (forms, types, wrapping, errors): core/primitives/integral_image.h; how it works:
// resources/docs/algorithms/integral-image.md. Everything else in this folder is its own.
#pragma once

#include <cstddef>

#include "core/primitives/integral_image.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {

// Integral images of one size and type again and again, with their scratch memory.
class RepeatedIntegral {
 public:
  // The request holds device addresses. Keeps its scratch where only these changed.
  Status prepare(Context& context, const IntegralRequest& request);
  // Work that enqueues must say writes(scratch()).
  const BufferRef& scratch() const { return scratch_; }
  // The whole batch of the last prepare(). On the submission thread.
  Status enqueue(Work& work);

 private:
  IntegralRequest request_;
  DeviceBuffer<std::byte> scratch_;
  bool cleared_ = false;
};

// The same with the caller's scratch memory: aligned to 256 bytes, zeroed before its first use and whenever
// anything of the request but the addresses has changed; it serves one launch at a time. The request has
// passed check_integral_request(). Can be captured into a graph.
size_t integral_scratch_bytes(const DeviceLimits& limits, const IntegralRequest& request);
Status enqueue_integral_image(Work& work, const IntegralRequest& request, void* scratch);

}  // namespace vantage::gpu
