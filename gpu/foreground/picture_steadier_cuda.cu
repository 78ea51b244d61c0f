// The CUDA implementation of core/foreground/picture_steadier.h: a thread a pixel.
#include <algorithm>

#include "core/foreground/picture_steadier.h"
#include "gpu/algorithms.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr unsigned kThreadsX = 32, kThreadsY = 8;

unsigned blocks_for(int size, unsigned threads) {
  return (static_cast<unsigned>(size) + threads - 1) / threads;
}

// As core/image/picture.h. `to` has no padding.
__global__ void reduce_luma(ImageView<const uint8_t> from, int factor, int width, int height, uint8_t* to) {
  const int x = static_cast<int>(blockIdx.x * kThreadsX + threadIdx.x),
            y = static_cast<int>(blockIdx.y * kThreadsY + threadIdx.y);
  if (x >= width || y >= height) return;
  const int right = min(from.width, (x + 1) * factor), below = min(from.height, (y + 1) * factor);
  int sum = 0;
  for (int row = y * factor; row < below; ++row)
    for (int column = x * factor; column < right; ++column) sum += from.row(row)[column];
  const int count = (right - x * factor) * (below - y * factor);
  to[y * width + x] = static_cast<uint8_t>((sum + count / 2) / count);
}

// A thread a sample, which has kChannels bytes.
template <int kChannels>
__global__ void shift_plane(ImageView<const uint8_t> from, ImageView<uint8_t> to, PlaneShift by) {
  const int width = to.width / kChannels;
  const int x = static_cast<int>(blockIdx.x * kThreadsX + threadIdx.x),
            y = static_cast<int>(blockIdx.y * kThreadsY + threadIdx.y);
  if (x >= width || y >= to.height) return;
  int sum[kChannels] = {};
  for (int j = 0; j < 4; ++j) {
    const uint8_t* row = from.row(min(max(y + by.y.first + j, 0), to.height - 1));
    int across[kChannels] = {};
    for (int i = 0; i < 4; ++i) {
      const int column = min(max(x + by.x.first + i, 0), width - 1) * kChannels;
      for (int c = 0; c < kChannels; ++c) across[c] += by.x.weight[i] * row[column + c];
    }
    for (int c = 0; c < kChannels; ++c) sum[c] += by.y.weight[j] * across[c];
  }
  for (int c = 0; c < kChannels; ++c) to.row(y)[x * kChannels + c] = shifted_level(sum[c]);
}

template <int kChannels>
Status enqueue_plane(Work& work, const ImageView<const uint8_t>& from, const ImageView<uint8_t>& to,
                     const PlaneShift& by) {
  return launch(work, "shift_plane",
                {dim3(blocks_for(to.width / kChannels, kThreadsX), blocks_for(to.height, kThreadsY)),
                 dim3(kThreadsX, kThreadsY)},
                shift_plane<kChannels>, from, to, by);
}

class PictureSteadierCuda final : public PictureSteadier {
 public:
  PictureSteadierCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream, int camera)
      : context_(std::move(context)), stream_(std::move(stream)), camera_(camera) {}

  Result<Image> reduced_luma(const Picture& picture, int factor, int64_t frame) override {
    const auto size = [factor](int pixels) { return (pixels + factor - 1) / factor; };
    const int width = size(picture.width()), height = size(picture.height());
    const size_t bytes = static_cast<size_t>(width) * static_cast<size_t>(height);
    VANTAGE_ASSIGN(const auto reduced, DeviceBuffer<uint8_t>::take(*context_, bytes));
    VANTAGE_ASSIGN(const auto host, PinnedBuffer<uint8_t>::take(*context_, bytes));
    VANTAGE_ASSIGN(const EventRef done, context_->run([&]() -> Result<EventRef> {
      Work work(*stream_, {.name = "reduce luma", .frame = frame, .camera = camera_});
      VANTAGE_TRY(work.reads(picture.buffer()));
      VANTAGE_TRY(work.writes({reduced, host}));
      VANTAGE_TRY(launch(
          work, "reduce_luma",
          {dim3(blocks_for(width, kThreadsX), blocks_for(height, kThreadsY)), dim3(kThreadsX, kThreadsY)},
          reduce_luma, picture.plane(0), factor, width, height, reduced.data()));
      VANTAGE_TRY(work.copy("copy reduced luma to host", host, reduced, bytes));
      VANTAGE_TRY(work.finish());
      return work.done();
    }));
    VANTAGE_TRY(context_->wait(done));
    VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, width, height, HostPool::shared()));
    for (int y = 0; y < height; ++y)
      std::copy_n(host.data() + static_cast<ptrdiff_t>(y) * width, width,
                  image.writable_view<uint8_t>().row(y));
    return image;
  }

  Result<Picture> shifted(const Picture& picture, const PictureShift& shift, int64_t frame) override {
    VANTAGE_ASSIGN(Picture out, Picture::make(picture.format(), context_->device_pool()));
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = "shift picture", .frame = frame, .camera = camera_});
      VANTAGE_TRY(work.reads(picture.buffer()));
      VANTAGE_TRY(work.writes({out.buffer()}));
      VANTAGE_TRY(enqueue_plane<1>(work, picture.plane(0), out.writable_plane(0), plane_shift(shift, false)));
      const PlaneShift chroma = plane_shift(shift, true);
      for (int plane = 1; plane < picture.plane_count(); ++plane) {
        if (picture.format().layout == PictureLayout::nv12)
          VANTAGE_TRY(enqueue_plane<2>(work, picture.plane(plane), out.writable_plane(plane), chroma));
        else
          VANTAGE_TRY(enqueue_plane<1>(work, picture.plane(plane), out.writable_plane(plane), chroma));
      }
      return work.finish();
    }));
    return out;
  }

 private:
  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  const int camera_;
};

}  // namespace

void register_picture_steadier_cuda(BackendRegistry& registry) {
  registry.add<PictureSteadier>(
      Device::cuda,
      [](const BackendContext& backend,
         const PictureSteadier::Arguments& arguments) -> Result<std::unique_ptr<PictureSteadier>> {
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(std::unique_ptr<Stream> stream, Stream::make(context, "steady", backend.trace));
        return std::make_unique<PictureSteadierCuda>(std::move(context), std::move(stream), arguments.camera);
      });
}

}  // namespace vantage::gpu
