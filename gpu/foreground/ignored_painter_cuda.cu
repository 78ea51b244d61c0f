// The CUDA implementation of core/foreground/ignored_painter.h: a thread a pixel.
#include "core/foreground/ignored_painter.h"

#include "gpu/algorithms.h"
#include "gpu/runtime/block_sum.cuh"
#include "gpu/runtime/launch_shapes.h"
#include "gpu/runtime/upload.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr int kPaintingThreads = 256;

__global__ void __launch_bounds__(kPaintingThreads)
    paint_ignored(ImageView<const uint8_t> ignored, ImageView<const uint8_t> indicator,
                  ImageView<const uint8_t> mask, ImageView<uint8_t> indicator_to, ImageView<uint8_t> mask_to,
                  unsigned long long* sum, uint32_t* mask_count) {
  const int x = static_cast<int>(blockIdx.x * kPaintingThreads + threadIdx.x);
  const auto y = static_cast<int>(blockIdx.y);
  bool in = false;
  if (x < mask.width) {
    const bool skip = ignored.row(y)[x] != 0;
    indicator_to.row(y)[x] = skip ? kIgnoredLevel : indicator.row(y)[x];
    mask_to.row(y)[x] = skip ? uint8_t{0} : mask.row(y)[x];
    in = mask_to.row(y)[x] != 0;
  }
  const unsigned count = block_sum<kPaintingThreads>(in);
  if (threadIdx.x == 0) add_to_total(sum, count, mask_count);
}

class IgnoredPainterCuda final : public IgnoredPainter {
 public:
  IgnoredPainterCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream, int camera,
                     Image ignored)
      : context_(std::move(context)),
        stream_(std::move(stream)),
        camera_(camera),
        ignored_(std::move(ignored)) {}

  Result<ForegroundImages> paint(const ForegroundImages& images, int64_t frame) override {
    VANTAGE_TRY(check_size(images, ignored_));
    const int width = images.mask.width(), height = images.mask.height();
    MemoryPool& pool = context_->device_pool();
    ForegroundImages painted;
    VANTAGE_ASSIGN(painted.indicator, Image::make(ImageType::u8, width, height, pool));
    VANTAGE_ASSIGN(painted.mask, Image::make(ImageType::u8, width, height, pool));
    VANTAGE_ASSIGN(const auto sum, DeviceBuffer<unsigned long long>::take(*context_, 1));
    VANTAGE_ASSIGN(const auto arrived, PinnedBuffer<uint32_t>::take(*context_, 1));
    VANTAGE_ASSIGN(EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {.name = "paint ignored regions", .frame = frame, .camera = camera_});
      VANTAGE_TRY(work.reads({ignored_.buffer(), images.indicator.buffer(), images.mask.buffer()}));
      VANTAGE_TRY(work.writes({painted.indicator.buffer(), painted.mask.buffer(), sum, arrived}));
      VANTAGE_TRY(work.set_zero(sum));
      VANTAGE_TRY(launch(
          work, "paint_ignored",
          {dim3(blocks_for(width, kPaintingThreads), static_cast<unsigned>(height)), dim3(kPaintingThreads)},
          paint_ignored, ignored_.view<uint8_t>(), images.indicator.view<uint8_t>(),
          images.mask.view<uint8_t>(), painted.indicator.writable_view<uint8_t>(),
          painted.mask.writable_view<uint8_t>(), sum.data(), arrived.data()));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    painted.mask_count = Deferred<int64_t>([context = context_, arrived, done]() -> Result<int64_t> {
      VANTAGE_TRY(context->wait(done));
      return int64_t{*arrived.data()};
    });
    return painted;
  }

 private:
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  const int camera_;
  const Image ignored_;  // in the device's memory
};

}  // namespace

void register_ignored_painter_cuda(BackendRegistry& registry) {
  registry.add<IgnoredPainter>(
      Device::cuda,
      [](const BackendContext& backend,
         const IgnoredPainter::Arguments& arguments) -> Result<std::unique_ptr<IgnoredPainter>> {
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "ignored", backend.trace));
        VANTAGE_ASSIGN(Image ignored, upload(*stream, arguments.ignored));
        return std::make_unique<IgnoredPainterCuda>(std::move(context), std::move(stream), arguments.camera,
                                                    std::move(ignored));
      });
}

}  // namespace vantage::gpu
