// The CUDA implementation of core/sync/signatures.h: one block a camera pair, one warp a
// line; a frame of all cameras is one launch.
#include <memory>
#include <span>

#include "core/sync/signatures.h"
#include "gpu/algorithms.h"
#include "gpu/runtime/upload.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

using signatures::Row;

constexpr int kThreads = 512;
constexpr int kMaxCameras = 64;
// A lane reads so many points at once, and so many times.
constexpr int kPointsAtOnce = 4, kReads = kLinePoints / (32 * kPointsAtOnce);
static_assert(kReads * 32 * kPointsAtOnce == kLinePoints);

// Passed by value into the kernel: no copy for a frame.
struct IndicatorList {
  const uint8_t* data[kMaxCameras];  // null: the camera has no frame
  uint32_t stride_bytes[kMaxCameras];
};

__device__ uint32_t value_at(const uint8_t* data, uint32_t stride_bytes, uint32_t point) {
  return point == kNoPoint ? 0u : __ldg(data + size_t{point >> 16} * stride_bytes + (point & 0xffffu));
}

// Pair blockIdx.x: rows 2 blockIdx.x and the next.
__global__ void __launch_bounds__(kThreads)
    sum_lines(const IndicatorList indicators, const Row* __restrict__ rows, const uint4* __restrict__ points,
              const ImageView<uint32_t> out) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int item = warp; item < 2 * out.width; item += kThreads / 32) {
    const int index = 2 * static_cast<int>(blockIdx.x) + item / out.width, line = item % out.width;
    const Row row = rows[index];
    const uint8_t* const data = indicators.data[row.camera];
    if (!data || line >= row.lines) {
      if (lane == 0) out.at(line, index) = kNoSignature;
      continue;
    }
    const uint32_t stride_bytes = indicators.stride_bytes[row.camera];
    const uint4* const own =
        points + row.first_point / kPointsAtOnce + line * (kLinePoints / kPointsAtOnce) + lane;
    uint4 four[kReads];
#pragma unroll
    for (int i = 0; i < kReads; ++i) four[i] = __ldg(own + 32 * i);
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < kReads; ++i)
      sum += value_at(data, stride_bytes, four[i].x) + value_at(data, stride_bytes, four[i].y) +
             value_at(data, stride_bytes, four[i].z) + value_at(data, stride_bytes, four[i].w);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) out.at(line, index) = sum;
  }
}

class SignatureExtractorCuda final : public SignatureExtractor {
 public:
  SignatureExtractorCuda(const Arguments& arguments, std::shared_ptr<Context> context,
                         std::unique_ptr<Stream> stream)
      : arguments_(arguments), context_(std::move(context)), stream_(std::move(stream)) {}

  Status prepare() {
    const signatures::Layout layout = signatures::lay_out(arguments_);
    columns_ = layout.columns;
    row_count_ = static_cast<int>(layout.rows.size());
    VANTAGE_ASSIGN(rows_, upload(*stream_, std::span(layout.rows)));
    VANTAGE_ASSIGN(points_, upload(*stream_, std::span(layout.points)));
    return {};
  }

  Result<Image> extract(std::span<const Image> indicators, int64_t frame) override {
    MemoryPool& pool = context_->device_pool();
    VANTAGE_TRY(signatures::check(arguments_, indicators, pool.place()));
    VANTAGE_ASSIGN(Image out, Image::make(ImageType::u32, columns_, row_count_, pool));
    IndicatorList list{};
    for (size_t c = 0; c < indicators.size(); ++c) {
      if (!indicators[c]) continue;
      list.data[c] = indicators[c].view<uint8_t>().data;
      list.stride_bytes[c] = static_cast<uint32_t>(indicators[c].stride_bytes());
    }
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = "frame signatures", .frame = frame});
      for (const Image& indicator : indicators)
        if (indicator) VANTAGE_TRY(work.reads(indicator.buffer()));
      VANTAGE_TRY(work.reads({rows_, points_}));
      VANTAGE_TRY(work.writes(out.buffer()));
      VANTAGE_TRY(launch(work, "sum_lines", {dim3(static_cast<unsigned>(row_count_ / 2)), dim3(kThreads)},
                         sum_lines, list, rows_.data(), reinterpret_cast<const uint4*>(points_.data()),
                         out.writable_view<uint32_t>()));
      return work.finish();
    }));
    return out;
  }

 private:
  const Arguments arguments_;
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  DeviceBuffer<Row> rows_;
  DeviceBuffer<uint32_t> points_;
  int columns_ = 0, row_count_ = 0;
};

Result<std::unique_ptr<SignatureExtractor>> make(const BackendContext& backend,
                                                 const SignatureExtractor::Arguments& arguments) {
  VANTAGE_TRY(signatures::check(arguments));
  if (arguments.cameras.size() > static_cast<size_t>(kMaxCameras))
    return fail(ErrorKind::unsupported, "more than 64 cameras on one GPU", "frame signatures",
                "Use --backend cpu.");
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
  VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "frame signatures", backend.trace));
  auto extractor = std::make_unique<SignatureExtractorCuda>(arguments, std::move(context), std::move(stream));
  VANTAGE_TRY(extractor->prepare());
  return extractor;
}

}  // namespace

void register_signatures_cuda(BackendRegistry& registry) {
  registry.add<SignatureExtractor>(Device::cuda, make);
}

}  // namespace vantage::gpu
