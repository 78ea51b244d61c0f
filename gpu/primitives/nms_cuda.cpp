#include <algorithm>
#include <cstring>

#include "gpu/algorithms.h"
#include "gpu/primitives/nms_kernels.h"
#include "gpu/primitives/published/nms_mapreduce.h"
#include "gpu/runtime/device_buffer.h"
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
    std::memcpy(buffers.host_boxes.data(), detections.data(), detections.size_bytes());
    VANTAGE_ASSIGN(const EventRef done, context_->run([&] { return enqueue(buffers, options, n); }));
    VANTAGE_TRY(context_->wait(done));
    return result_of(buffers, n);
  }

 private:
  // The output is one block: the count, then n indices, then n scores.
  struct Buffers {
    PinnedBuffer<Detection> host_boxes;
    DeviceBuffer<Detection> boxes;
    DeviceBuffer<std::byte> scratch;
    DeviceBuffer<int32_t> output;
    PinnedBuffer<int32_t> host_output;
  };
  static constexpr size_t kHeader = 64;  // in words, so that what follows is aligned to 256 bytes
  static_assert(sizeof(float) == sizeof(int32_t));

  // The output of n boxes in such a block, on either side.
  static NmsOutput output_in(int32_t* block, int n) {
    int32_t* kept = block + kHeader;
    return {kept, block, reinterpret_cast<float*>(kept + n)};
  }

  Status take(Buffers& b, const NmsOptions& options, int n) {
    const auto count = static_cast<size_t>(n);
    VANTAGE_ASSIGN(b.host_boxes, PinnedBuffer<Detection>::take(*context_, count));
    VANTAGE_ASSIGN(b.boxes, DeviceBuffer<Detection>::take(*context_, count));
    VANTAGE_ASSIGN(b.scratch, DeviceBuffer<std::byte>::take(*context_, scratch_bytes(options, n)));
    VANTAGE_ASSIGN(b.output, DeviceBuffer<int32_t>::take(*context_, kHeader + 2 * count));
    VANTAGE_ASSIGN(b.host_output, PinnedBuffer<int32_t>::take(*context_, kHeader + 2 * count));
    return {};
  }

  Result<EventRef> enqueue(const Buffers& b, const NmsOptions& options, int n) {
    Work work(*stream_, {.name = "non-maximum suppression"});
    VANTAGE_TRY(work.writes({b.boxes, b.scratch, b.output, b.host_output}));
    VANTAGE_TRY(work.copy("copy boxes to device", b.boxes, b.host_boxes, b.boxes.count()));
    VANTAGE_TRY(enqueue_kernels(work, b, options, n));
    VANTAGE_TRY(work.copy("copy kept boxes to host", b.host_output, b.output, b.output.count()));
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  static Status enqueue_kernels(Work& work, const Buffers& b, const NmsOptions& options, int n) {
    const NmsOutput output = output_in(b.output.data(), n);
    const Detection* boxes = b.boxes.data();
    if (options.partitions > 0)
      return published::enqueue_mapreduce_nms(work, boxes, n, options.rule, output, b.scratch.data(),
                                              options.partitions);
    VANTAGE_TRY(work.set_zero(b.scratch));
    if (options.method == NmsMethod::greedy)
      return enqueue_greedy_nms(work, boxes, n, options.rule, output, b.scratch.data(),
                                b.scratch.size_bytes());
    if (options.method == NmsMethod::mapreduce)
      return enqueue_mapreduce_nms(work, boxes, n, options.rule, output, b.scratch.data());
    const SoftNms soft{options.rule, options.method == NmsMethod::soft_gaussian, options.sigma,
                       options.min_score};
    return enqueue_soft_nms(work, boxes, n, soft, output, b.scratch.data());
  }

  static NmsResult result_of(const Buffers& b, int n) {
    const NmsOutput found = output_in(b.host_output.data(), n);
    const int32_t count = *found.count;
    return {{found.kept, found.kept + count}, {found.scores, found.scores + count}};
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
