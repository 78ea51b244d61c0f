// A CUDA stream: work enqueued on it runs in order, concurrently with other streams.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "core/base/trace.h"
#include "gpu/runtime/context.h"

namespace vantage::gpu {

class Stream {
 public:
  // `name` is what the stream is for ("foreground cam1"); its spans' lane is "cuda:0 NAME". Spans go to
  // `trace`, which may be null and must outlive the stream.
  static Result<std::unique_ptr<Stream>> make(std::shared_ptr<Context> context, const std::string& name,
                                              TraceRecorder* trace);
  // Does not wait for the work; waits for its spans, so that none is lost.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Context& context() const { return *context_; }
  cudaStream_t handle() const { return handle_; }
  uint64_t id() const { return id_; }
  const std::string& lane() const { return lane_; }
  TraceRecorder* trace() const { return trace_; }

 private:
  Stream(std::shared_ptr<Context> context, cudaStream_t handle, std::string lane, TraceRecorder* trace)
      : context_(std::move(context)),
        handle_(handle),
        id_(context_->next_stream_id()),
        lane_(std::move(lane)),
        trace_(trace) {}

  std::shared_ptr<Context> context_;
  cudaStream_t handle_;
  uint64_t id_;
  std::string lane_;
  TraceRecorder* trace_;
};

}  // namespace vantage::gpu
