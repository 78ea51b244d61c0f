#include "gpu/runtime/stream.h"

#include "gpu/runtime/cuda_error.h"
#include "gpu/runtime/tracer.h"

namespace vantage::gpu {

Result<std::unique_ptr<Stream>> Stream::make(std::shared_ptr<Context> context, const std::string& name,
                                             TraceRecorder* trace) {
  cudaStream_t handle = nullptr;
  VANTAGE_TRY(context->run([&] {
    return context->check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking), "create a stream");
  }));
  std::string lane = "cuda:" + std::to_string(context->device()) + " " + name;
  return std::unique_ptr<Stream>(new Stream(std::move(context), handle, std::move(lane), trace));
}

Stream::~Stream() {
  context_->run_always([this] {
    if (process_is_exiting()) return;
    if (trace_) context_->tracer().finish(trace_);
    cudaStreamDestroy(handle_);
  });
}

}  // namespace vantage::gpu
