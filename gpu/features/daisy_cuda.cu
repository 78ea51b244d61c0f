#include <memory>
#include <string>

#include "core/features/daisy.h"
#include "core/features/daisy_pixel.h"
#include "gpu/algorithms.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr int kThreads = 128;

// Planes of one size, one behind the other.
struct Planes {
  float* data;
  int width, height;
  __device__ float* row(int plane, int y) const {
    return data + (static_cast<size_t>(plane) * static_cast<size_t>(height) + static_cast<size_t>(y)) *
                      static_cast<size_t>(width);
  }
};

__global__ void __launch_bounds__(kThreads)
    daisy_grey(const ImageView<const uint8_t> picture, const Planes out) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x < out.width) out.row(0, y)[x] = static_cast<float>(picture.at(x, y));
}

// Sums the middle, then the pairs outwards, as the CPU does.
__global__ void __launch_bounds__(kThreads)
    daisy_columns(const Planes from, const Planes to, const DaisyBlur blur) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), y = static_cast<int>(blockIdx.y);
  const int plane = static_cast<int>(blockIdx.z);
  if (x >= to.width) return;
  float sum = blur.weight[0] * from.row(plane, y)[x];
  for (int i = 1; i <= blur.radius; ++i)
    sum = sum + blur.weight[i] *
                    (from.row(plane, max(y - i, 0))[x] + from.row(plane, min(y + i, from.height - 1))[x]);
  to.row(plane, y)[x] = sum;
}

__global__ void __launch_bounds__(kThreads)
    daisy_rows(const Planes from, const Planes to, const DaisyBlur blur) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), y = static_cast<int>(blockIdx.y);
  const int plane = static_cast<int>(blockIdx.z);
  if (x >= to.width) return;
  const float* const line = from.row(plane, y);
  float sum = blur.weight[0] * line[x];
  for (int i = 1; i <= blur.radius; ++i)
    sum = sum + blur.weight[i] * (line[max(x - i, 0)] + line[min(x + i, from.width - 1)]);
  to.row(plane, y)[x] = sum;
}

__global__ void __launch_bounds__(kThreads)
    daisy_orient(const Planes smooth, const Planes to, const DaisyPlan plan) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x >= to.width) return;
  const float* const here = smooth.row(0, y);
  const float gx = 0.5f * (here[min(x + 1, to.width - 1)] - here[max(x - 1, 0)]);
  const float gy = 0.5f * (smooth.row(0, min(y + 1, to.height - 1))[x] - smooth.row(0, max(y - 1, 0))[x]);
  for (int k = 0; k < kDaisyBins; ++k) to.row(k, y)[x] = daisy_bin(plan, k, gx, gy);
}

__global__ void __launch_bounds__(kThreads)
    daisy_quantise(const Planes bins, float flat, int level, const ImageView<uint8_t> out) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x >= bins.width) return;
  float histogram[kDaisyBins];
  for (int k = 0; k < kDaisyBins; ++k) histogram[k] = bins.row(k, y)[x];
  uint8_t bytes[kDaisyBins];
  daisy_bytes(histogram, flat, bytes);
  uint2 words{0, 0};
  for (int k = 0; k < 4; ++k) {
    words.x |= static_cast<unsigned>(bytes[k]) << (8 * k);
    words.y |= static_cast<unsigned>(bytes[k + 4]) << (8 * k);
  }
  reinterpret_cast<uint2*>(out.row(level * bins.height + y))[x] = words;
}

class DaisyCuda final : public Daisy {
 public:
  DaisyCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> stream, int camera)
      : context_(std::move(context)), stream_(std::move(stream)), camera_(camera) {}

  void set_parameters(const DaisyParameters& parameters) override { plan_ = DaisyPlan::make(parameters); }

  Result<DaisyField> describe(const BufferRef& buffer, ImageView<const uint8_t> plane,
                              int64_t frame) override {
    MemoryPool& pool = context_->device_pool();
    if (!buffer || plane.width < 1 || plane.height < 1 || buffer->place() != pool.place())
      return fail(ErrorKind::invalid_argument,
                  "no picture in the memory of cuda:" + std::to_string(context_->device()), "descriptor");
    if (plane.height > 65535)
      return fail(ErrorKind::unsupported, "the picture has more than 65535 rows", "descriptor");
    DaisyField field{plane.width, plane.height, plan_.levels, frame, {}};
    VANTAGE_ASSIGN(field.histograms,
                   Image::make(ImageType::u8, kDaisyBins * plane.width, field.levels * plane.height, pool));
    const size_t samples = kDaisyBins * static_cast<size_t>(plane.width) * static_cast<size_t>(plane.height);
    VANTAGE_ASSIGN(const auto first, DeviceBuffer<float>::take(*context_, samples));
    VANTAGE_ASSIGN(const auto second, DeviceBuffer<float>::take(*context_, samples));
    VANTAGE_TRY(context_->run([&]() -> Status {
      Work work(*stream_, {.name = "daisy", .frame = frame, .camera = camera_});
      VANTAGE_TRY(work.reads(buffer));
      VANTAGE_TRY(work.writes({field.histograms.buffer(), first, second}));
      const Planes a{first.data(), plane.width, plane.height};
      const Planes b{second.data(), plane.width, plane.height};
      VANTAGE_TRY(enqueue(work, plane, a, b, field));
      return work.finish();
    }));
    return field;
  }

 private:
  // The bins end, level by level, in `a`; `b` holds what lies between.
  Status enqueue(Work& work, ImageView<const uint8_t> picture, const Planes& a, const Planes& b,
                 DaisyField& field) {
    VANTAGE_TRY(launch(work, "daisy_grey", grid(a, 1), daisy_grey, picture, b));
    VANTAGE_TRY(launch(work, "daisy_columns", grid(a, 1), daisy_columns, b, a, plan_.smooth));
    VANTAGE_TRY(launch(work, "daisy_rows", grid(a, 1), daisy_rows, a, b, plan_.smooth));
    VANTAGE_TRY(launch(work, "daisy_orient", grid(a, 1), daisy_orient, b, a, plan_));
    for (int q = 0; q < plan_.levels; ++q) {
      VANTAGE_TRY(launch(work, "daisy_columns", grid(a, kDaisyBins), daisy_columns, a, b, plan_.level[q]));
      VANTAGE_TRY(launch(work, "daisy_rows", grid(a, kDaisyBins), daisy_rows, b, a, plan_.level[q]));
      VANTAGE_TRY(launch(work, "daisy_quantise", grid(a, 1), daisy_quantise, a, plan_.flat, q,
                         field.histograms.writable_view<uint8_t>()));
    }
    return {};
  }

  static LaunchGrid grid(const Planes& planes, int count) {
    return {dim3(blocks_for(planes.width, kThreads), static_cast<unsigned>(planes.height),
                 static_cast<unsigned>(count)),
            dim3(kThreads)};
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> stream_;
  int camera_;
  DaisyPlan plan_ = DaisyPlan::make({});
};

}  // namespace

void register_daisy_cuda(BackendRegistry& registry) {
  registry.add<Daisy>(
      Device::cuda,
      [](const BackendContext& backend, const Daisy::Arguments& arguments) -> Result<std::unique_ptr<Daisy>> {
        VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
        VANTAGE_ASSIGN(
            std::unique_ptr<Stream> stream,
            Stream::make(context, "daisy cam" + std::to_string(arguments.camera + 1), backend.trace));
        return std::make_unique<DaisyCuda>(std::move(context), std::move(stream), arguments.camera);
      });
}

}  // namespace vantage::gpu
