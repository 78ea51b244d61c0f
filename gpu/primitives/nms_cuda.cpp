#include <algorithm>
#include <cstring>

#include "gpu/algorithms.h"
#include "gpu/primitives/nms.cuh"
#include "gpu/primitives/published/nms_mapreduce.cuh"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

size_t scratch_bytes(const NmsOptions& options, int n) {
  switch (options.method) {
    case NmsMethod::greedy:
      return greedy_nms_scratch_bytes(n);
    case NmsMethod::mapreduce:
      return options.partitions > 0 ? published::mapreduce_nms_scratch_bytes(n, options.partitions)
                                    : mapreduce_nms_scratch_bytes(n);
    default:
      return soft_nms_scratch_bytes(n);
  }
}

Status check_partitions(int n, int partitions) {
  if (partitions == 0) return {};
  if (n > kMapReduceNmsMaxDetections)
    return fail(ErrorKind::invalid_argument,
                std::to_string(n) + " detections, the published kernels take at most " +
                    std::to_string(kMapReduceNmsMaxDetections),
                "non-maximum suppression", "Leave the partitions out.");
  if (partitions < mapreduce_nms_min_partitions(n))
    return fail(ErrorKind::invalid_argument,
                std::to_string(n) + " detections need at least " +
                    std::to_string(mapreduce_nms_min_partitions(n)) + " partitions",
                "non-maximum suppression", "A partition's block has at most 1024 threads.");
  return {};
}

class NmsCuda final : public NonMaximumSuppression {
 public:
  NmsCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream)
      : context_(std::move(context)), stream_(std::move(stream)) {}

  Result<NmsResult> run(std::span<const Detection> detections, const NmsOptions& options) override {
    VANTAGE_TRY(check_nms_request(detections.size(), kNmsMaxDetectionsCuda, options));
    const auto n = static_cast<int>(detections.size());
    VANTAGE_TRY(check_partitions(n, options.partitions));
    if (n == 0) return NmsResult{};
    Buffers buffers;
    VANTAGE_TRY(take(buffers, options, n));
    std::memcpy(buffers.host_boxes->data(), detections.data(), detections.size_bytes());
    VANTAGE_ASSIGN(const EventRef done, context_->run([&] { return enqueue(buffers, options, n); }));
    VANTAGE_TRY(context_->wait(done));
    return result_of(buffers, n);
  }

 private:
  // The output is one block: the count, then n indices, then n scores.
  struct Buffers {
    BufferRef host_boxes, boxes, scratch, output, host_output;
    size_t scratch_bytes = 0;
  };
  static constexpr size_t kHeader = 256;

  Status take(Buffers& b, const NmsOptions& options, int n) {
    const size_t count = static_cast<size_t>(n), output = kHeader + count * (sizeof(int32_t) + sizeof(float));
    b.scratch_bytes = scratch_bytes(options, n);
    VANTAGE_ASSIGN(b.host_boxes, context_->pinned_pool().take(count * sizeof(Detection)));
    VANTAGE_ASSIGN(b.boxes, context_->device_pool().take(count * sizeof(Detection)));
    VANTAGE_ASSIGN(b.scratch, context_->device_pool().take(b.scratch_bytes));
    VANTAGE_ASSIGN(b.output, context_->device_pool().take(output));
    VANTAGE_ASSIGN(b.host_output, context_->pinned_pool().take(output));
    return {};
  }

  Result<EventRef> enqueue(const Buffers& b, const NmsOptions& options, int n) {
    Work work(*stream_, {.name = "non-maximum suppression"});
    for (const BufferRef& buffer : {b.boxes, b.scratch, b.output, b.host_output})
      VANTAGE_TRY(work.writes(buffer));
    const size_t count = static_cast<size_t>(n);
    VANTAGE_TRY(
        work.copy("copy boxes to device", b.boxes->data(), b.host_boxes->data(), count * sizeof(Detection)));
    VANTAGE_TRY(enqueue_kernels(work, b, options, n));
    VANTAGE_TRY(work.copy("copy kept boxes to host", b.host_output->data(), b.output->data(),
                          kHeader + count * (sizeof(int32_t) + sizeof(float))));
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  static Status enqueue_kernels(Work& work, const Buffers& b, const NmsOptions& options, int n) {
    auto* kept = reinterpret_cast<int32_t*>(b.output->data() + kHeader);
    const NmsOutput output{kept, reinterpret_cast<int32_t*>(b.output->data()),
                           reinterpret_cast<float*>(kept + n)};
    const auto* boxes = reinterpret_cast<const Detection*>(b.boxes->data());
    if (options.partitions > 0) return enqueue_published(work, b, boxes, options, output, n);
    VANTAGE_TRY(work.set_zero(b.scratch->data(), b.scratch_bytes));
    return work.enqueue("suppress", [&](cudaStream_t stream) {
      if (options.method == NmsMethod::greedy)
        return greedy_nms(stream, boxes, n, options.rule, output, b.scratch->data(), b.scratch_bytes,
                          GreedyVariant::automatic);
      if (options.method == NmsMethod::mapreduce)
        return mapreduce_nms(stream, boxes, n, options.rule, output, b.scratch->data());
      const SoftNms soft{options.rule, options.method == NmsMethod::soft_gaussian, options.sigma,
                         options.min_score};
      return soft_nms(stream, boxes, n, soft, output, b.scratch->data());
    });
  }

  // A span each, so that both can be seen.
  static Status enqueue_published(Work& work, const Buffers& b, const Detection* boxes,
                                  const NmsOptions& options, const NmsOutput& output, int n) {
    const auto step = [&](published::MapReduceSteps steps) {
      return [&, steps](cudaStream_t stream) {
        return published::mapreduce_nms(stream, boxes, n, options.rule, output, b.scratch->data(),
                                        options.partitions, steps);
      };
    };
    VANTAGE_TRY(work.enqueue("map", step(published::MapReduceSteps::map)));
    return work.enqueue("reduce", step(published::MapReduceSteps::reduce));
  }

  static NmsResult result_of(const Buffers& b, int n) {
    int32_t count = 0;
    std::memcpy(&count, b.host_output->data(), sizeof(count));
    const auto* kept = reinterpret_cast<const int32_t*>(b.host_output->data() + kHeader);
    const auto* scores = reinterpret_cast<const float*>(kept + n);
    return {{kept, kept + count}, {scores, scores + count}};
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace

void register_nms_cuda(BackendRegistry& registry) {
  registry.add<NonMaximumSuppression>(
      Device::cuda,
      [](const BackendContext& backend,
         const NonMaximumSuppression::Arguments&) -> Result<std::unique_ptr<NonMaximumSuppression>> {
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream,
                       Stream::make(context, "non-maximum suppression", backend.trace));
        return std::make_unique<NmsCuda>(std::move(context), std::move(stream));
      });
}

}  // namespace vantage::gpu
