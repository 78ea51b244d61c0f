#include "gpu/runtime/work.h"

#include <map>
#include <mutex>

#include "gpu/runtime/launch_shapes.h"
#include "gpu/runtime/tracer.h"

namespace vantage::gpu {
namespace {

Result<CudaBuffer*> ordered_buffer(const BufferRef& buffer) {
  if (CudaBuffer* cuda = as_cuda(buffer)) return cuda;
  return fail(ErrorKind::invalid_argument, "the memory given to the GPU is neither its own nor pinned",
              "gpu");
}

class LaunchShapes {
 public:
  void remember(const std::string& name, const void* kernel, const LaunchGrid& grid) {
    LaunchShape shape{{grid.blocks.x, grid.blocks.y, grid.blocks.z},
                      {grid.threads.x, grid.threads.y, grid.threads.z}};
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess) {
      shape.registers = static_cast<unsigned>(attributes.numRegs);
      shape.shared_bytes = static_cast<unsigned>(attributes.sharedSizeBytes) + grid.shared_bytes;
    }
    const std::lock_guard lock(mutex_);
    shapes_[name] = shape;
  }
  std::optional<LaunchShape> find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = shapes_.find(name);
    return found == shapes_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, LaunchShape> shapes_;
};

LaunchShapes& launch_shapes() {
  static LaunchShapes shapes;
  return shapes;
}

cudaError_t enqueue(const void* kernel, const LaunchGrid& grid, void** arguments, cudaStream_t stream,
                    const DeviceLimits& limits) {
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};
  config.gridDim = grid.blocks, config.blockDim = grid.threads, config.stream = stream;
  config.dynamicSmemBytes = grid.shared_bytes;
  config.attrs = &attribute;
  if (grid.order == Order::dependent && limits.dependent_launches) {
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.numAttrs = 1;
  } else if (grid.order == Order::cooperative) {
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.numAttrs = 1;
  }
  return cudaLaunchKernelExC(&config, kernel, arguments);
}

}  // namespace

std::optional<LaunchShape> last_launch(const std::string& span_name) {
  return launch_shapes().find(span_name);
}

Work::Work(Stream& stream, WorkLabel label) : stream_(stream), label_(std::move(label)) {
  if (!label_.name.empty()) start_ = begin();
}

Work::~Work() {
  // The error that led here is being returned already.
  if (!finished_) static_cast<void>(finish());
}

Status Work::waits_for(const EventRef& event) {
  if (!event || event->stream_id() == stream_.id()) return {};
  return context().check(cudaStreamWaitEvent(stream_.handle(), event->handle(), 0),
                         "wait for another stream");
}

Status Work::reads(const BufferRef& buffer) {
  VANTAGE_ASSIGN(CudaBuffer * cuda, ordered_buffer(buffer));
  VANTAGE_TRY(waits_for(cuda->ready()));
  read_.push_back(buffer);
  return {};
}

Status Work::writes(const BufferRef& buffer) {
  VANTAGE_ASSIGN(CudaBuffer * cuda, ordered_buffer(buffer));
  for (const EventRef& event : cuda->all_events()) VANTAGE_TRY(waits_for(event));
  written_.push_back(buffer);
  return {};
}

Status Work::reads(std::initializer_list<BufferRef> buffers) {
  for (const BufferRef& buffer : buffers) VANTAGE_TRY(reads(buffer));
  return {};
}

Status Work::writes(std::initializer_list<BufferRef> buffers) {
  for (const BufferRef& buffer : buffers) VANTAGE_TRY(writes(buffer));
  return {};
}

Status Work::copy(const char* name, void* to, const void* from, size_t size_bytes) {
  VANTAGE_TRY(context().status());
  const cudaEvent_t start = begin();
  const Status copied =
      context().check(cudaMemcpyAsync(to, from, size_bytes, cudaMemcpyDefault, stream_.handle()), name);
  end(start, name, SpanKind::copy, size_bytes);
  return copied;
}

Status Work::copy_2d(const char* name, void* to, size_t to_stride, const void* from, size_t from_stride,
                     size_t row_bytes, int rows) {
  VANTAGE_TRY(context().status());
  const cudaEvent_t start = begin();
  const Status copied =
      context().check(cudaMemcpy2DAsync(to, to_stride, from, from_stride, row_bytes,
                                        static_cast<size_t>(rows), cudaMemcpyDefault, stream_.handle()),
                      name);
  end(start, name, SpanKind::copy, row_bytes * static_cast<size_t>(rows));
  return copied;
}

Status Work::copy_to_array(const char* name, cudaArray_t to, const void* from, size_t from_stride,
                           size_t row_bytes, int rows) {
  VANTAGE_TRY(context().status());
  const cudaEvent_t start = begin();
  const Status copied = context().check(
      cudaMemcpy2DToArrayAsync(to, 0, 0, from, from_stride, row_bytes, static_cast<size_t>(rows),
                               cudaMemcpyDefault, stream_.handle()),
      name);
  end(start, name, SpanKind::copy, row_bytes * static_cast<size_t>(rows));
  return copied;
}

Status Work::fill(void* memory, int byte, size_t size_bytes) {
  return context().check(cudaMemsetAsync(memory, byte, size_bytes, stream_.handle()), "fill memory");
}

Status Work::launch_kernel(const char* name, const void* kernel, const LaunchGrid& grid, void** arguments) {
  VANTAGE_TRY(context().status());
  const cudaEvent_t start = times_kernels() ? begin() : nullptr;
  const Status enqueued =
      context().check(enqueue(kernel, grid, arguments, stream_.handle(), context().limits()), name);
  end(start, name, SpanKind::kernel, 0);
  if (start) launch_shapes().remember(name, kernel, grid);
  return enqueued;
}

Status Work::finish() {
  finished_ = true;
  // Bytes that a stage moves: the buffers that it was given, each once.
  size_t bytes = 0;
  for (const auto* buffers : {&read_, &written_})
    for (const BufferRef& buffer : *buffers) bytes += buffer->size_bytes();
  end(start_, label_.name, SpanKind::stage, bytes);
  start_ = nullptr;
  VANTAGE_TRY(context().status());
  cudaEvent_t event = nullptr;
  VANTAGE_TRY(context().check(context().events()->take(&event), "create an event"));
  done_ = std::make_shared<const Event>(context().events(), event, stream_.id());
  const Status recorded = context().check(cudaEventRecord(event, stream_.handle()), "record an event");
  for (const BufferRef& buffer : written_) as_cuda(buffer)->set_ready(done_);
  for (const BufferRef& buffer : read_) as_cuda(buffer)->add_use(done_);
  read_.clear();
  written_.clear();
  return recorded;
}

cudaEvent_t Work::begin() {
  return stream_.trace() ? context().tracer().begin(stream_.handle()) : nullptr;
}

void Work::end(cudaEvent_t start, const std::string& name, SpanKind kind, size_t bytes) {
  if (!start) return;
  TraceSpan span{name, stream_.lane(), label_.camera, label_.frame, kind, 0, 0, static_cast<int64_t>(bytes)};
  context().tracer().end(stream_.handle(), start, stream_.trace(), std::move(span));
}

}  // namespace vantage::gpu
