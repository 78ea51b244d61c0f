#include "gpu/interop/interop_kernels.h"

#include "core/display/color_conversion.h"

namespace vantage::gpu {
namespace {

constexpr int kThreads = 256;

struct Chroma {
  const uint8_t* cb;
  const uint8_t* cr;
  size_t stride_bytes;
  int step;  // 1 planar, 2 interleaved
};

// One thread a pixel.
__global__ void __launch_bounds__(kThreads)
    convert_to_rgba(const ImageView<const uint8_t> luma, const Chroma chroma, const RgbFromYcbcr conversion,
                    cudaSurfaceObject_t surface) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x >= luma.width) return;
  const size_t at =
      static_cast<size_t>(y / 2) * chroma.stride_bytes + static_cast<size_t>(x / 2) * chroma.step;
  const uint8_t value = __ldg(luma.row(y) + x), cb = __ldg(chroma.cb + at), cr = __ldg(chroma.cr + at);
  const uchar4 rgba =
      make_uchar4(rgb_component(conversion, 0, value, cb, cr), rgb_component(conversion, 1, value, cb, cr),
                  rgb_component(conversion, 2, value, cb, cr), 255);
  surf2Dwrite(rgba, surface, x * static_cast<int>(sizeof(uchar4)), y);
}

// One thread a point. confidence may lack data.
__global__ void __launch_bounds__(kThreads)
    write_points(const VoxelGrid grid, const uint32_t* __restrict__ ids,
                 const ImageView<const float> confidence, uint32_t count, float4* __restrict__ points) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  const uint32_t id = __ldg(ids + i);
  const auto nx = static_cast<uint32_t>(grid.nx), ny = static_cast<uint32_t>(grid.ny);
  const uint32_t row = id / nx;
  const int x = static_cast<int>(id - row * nx), y = static_cast<int>(row % ny),
            z = static_cast<int>(row / ny);
  const float vote = confidence.data ? __ldg(confidence.row(static_cast<int>(row)) + x) : 1.0f;
  points[i] = make_float4(static_cast<float>(grid.center(0, x)), static_cast<float>(grid.center(1, y)),
                          static_cast<float>(grid.center(2, z)), vote);
}

}  // namespace

Status enqueue_rgba(Work& work, const Picture& picture, cudaSurfaceObject_t surface) {
  const bool planar = picture.format().layout == PictureLayout::i420;
  const ImageView<const uint8_t> second = picture.plane(1);
  const Chroma chroma{second.data, planar ? picture.plane(2).data : second.data + 1, second.stride_bytes,
                      planar ? 1 : 2};
  dim3 blocks(blocks_for(picture.width(), kThreads));
  blocks.y = static_cast<unsigned>(picture.height());
  return launch(work, "convert_to_rgba", {blocks, dim3(kThreads)}, convert_to_rgba, picture.plane(0), chroma,
                rgb_from_ycbcr(picture.format().range, picture.format().matrix), surface);
}

Status enqueue_points(Work& work, const CarvedVolume& volume, const Image& shell_ids, int64_t count,
                      ShellPoint* points) {
  static_assert(sizeof(ShellPoint) == sizeof(float4));
  const ImageView<const float> confidence =
      volume.confidence ? volume.confidence.view<float>() : ImageView<const float>{};
  return launch(work, "write_points", {dim3(blocks_for(count, kThreads)), dim3(kThreads)}, write_points,
                volume.grid, shell_ids.view<uint32_t>().data, confidence, static_cast<uint32_t>(count),
                reinterpret_cast<float4*>(points));
}

}  // namespace vantage::gpu
