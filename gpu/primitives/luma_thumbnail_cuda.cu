#include <cstddef>

#include "core/primitives/luma_thumbnail.h"
#include "gpu/algorithms.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr int kCells = LumaThumbnail::kCells;
constexpr unsigned kWarp = 32, kCellsOfBlock = 4;
static_assert(kCells % kCellsOfBlock == 0);

// As the device writes them; the cells' fingerprints are added on the host.
struct CellSums {
  uint64_t fingerprint[kCells];
  int32_t sum[kCells];
};

// A warp a cell.
__global__ void sum_cells(ImageView<const uint8_t> luma, CellSums* out) {
  const int cell = static_cast<int>(blockIdx.x * kCellsOfBlock + threadIdx.x / kWarp);
  const int lane = static_cast<int>(threadIdx.x % kWarp);
  const auto columns = ThumbnailSpan::of(cell % LumaThumbnail::kWidth, luma.width, LumaThumbnail::kWidth);
  const auto rows = ThumbnailSpan::of(cell / LumaThumbnail::kWidth, luma.height, LumaThumbnail::kHeight);
  const int across = columns.count(), samples = across * rows.count();
  unsigned long long fingerprint = 0;
  int sum = 0;
  for (int i = lane; i < samples; i += static_cast<int>(kWarp)) {
    const int x = columns.begin + 2 * (i % across), y = rows.begin + 2 * (i / across);
    const int value = luma.row(y)[x];
    sum += value;
    fingerprint += static_cast<unsigned long long>(value) * thumbnail_weight(x, y, luma.width);
  }
  constexpr unsigned kAll = 0xffffffffu;
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(kAll, sum, offset);
    fingerprint += __shfl_down_sync(kAll, fingerprint, offset);
  }
  if (lane != 0) return;
  out->sum[cell] = sum;
  out->fingerprint[cell] = fingerprint;
}

LumaThumbnail thumbnail_of(const CellSums& cells, int width, int height) {
  std::array<int32_t, kCells> sums;
  uint64_t fingerprint = 0;
  for (int i = 0; i < kCells; ++i) {
    sums[i] = cells.sum[i];
    fingerprint += cells.fingerprint[i];
  }
  return luma_thumbnail(sums, fingerprint, width, height);
}

class LumaThumbnailsCuda final : public LumaThumbnails {
 public:
  LumaThumbnailsCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream)
      : context_(std::move(context)), stream_(std::move(stream)) {}

  Result<Deferred<LumaThumbnail>> make(const Picture& picture) override {
    VANTAGE_ASSIGN(const auto cells, DeviceBuffer<CellSums>::take(*context_, 1));
    VANTAGE_ASSIGN(const auto host, PinnedBuffer<CellSums>::take(*context_, 1));
    VANTAGE_ASSIGN(const EventRef done, context_->run([&] { return enqueue(picture, cells, host); }));
    return Deferred<LumaThumbnail>([context = context_, done, host, width = picture.width(),
                                    height = picture.height()]() -> Result<LumaThumbnail> {
      VANTAGE_TRY(context->wait(done));
      return thumbnail_of(*host.data(), width, height);
    });
  }

 private:
  Result<EventRef> enqueue(const Picture& picture, const DeviceBuffer<CellSums>& cells,
                           const PinnedBuffer<CellSums>& host) {
    Work work(*stream_, {.name = "luma thumbnail"});
    VANTAGE_TRY(work.reads(picture.buffer()));
    VANTAGE_TRY(work.writes({cells, host}));
    VANTAGE_TRY(launch(work, "sum_cells", {dim3(kCells / kCellsOfBlock), dim3(kCellsOfBlock * kWarp)},
                       sum_cells, picture.plane(0), cells.data()));
    VANTAGE_TRY(work.copy("copy thumbnail to host", host, cells, 1));
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace

void register_luma_thumbnails_cuda(BackendRegistry& registry) {
  registry.add<LumaThumbnails>(
      Device::cuda,
      [](const BackendContext& backend,
         const LumaThumbnails::Arguments&) -> Result<std::unique_ptr<LumaThumbnails>> {
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream,
                       Stream::make(context, "luma thumbnail", backend.trace));
        return std::make_unique<LumaThumbnailsCuda>(std::move(context), std::move(stream));
      });
}

}  // namespace vantage::gpu
