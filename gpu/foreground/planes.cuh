// The memory layout of the CUDA foreground model, and how its kernels read samples. All but
// cleaning work on one 2x2 block a thread, that is up to four luma samples and one of each chroma. Operations
// and their order are those of core/foreground/gaussian_pixel.h and gaussian_evidence.h, compiled without
// fused multiply-add, so that the bits are the CPU's.
//
// The kernels of a frame are launched concurrently with one another (gpu/runtime/dependent_launch.cuh).
#pragma once

#include "core/foreground/gaussian_evidence.h"
#include "core/foreground/light_change.h"
#include "core/image/image_view.h"
#include "gpu/runtime/dependent_launch.cuh"

namespace vantage::gpu {

constexpr int kForegroundThreads = 256;

// The six planes in device memory. Luma rows are padded to an even number of samples, so that pairs are
// aligned.
struct GaussianPlanes {
  float* luma_mean;
  float* luma_variance;
  float* chroma_mean[2];  // Cb, Cr
  float* chroma_variance[2];
  int width, height;
  int luma_pitch, chroma_pitch;  // in samples
};

struct PictureSamples {
  ImageView<const uint8_t> luma;
  const uint8_t* chroma[2];  // Cb, Cr
  size_t chroma_stride_bytes;
  int chroma_step;  // 1 planar, 2 interleaved
};

struct BlockPosition {
  int x, y;  // of the chroma sample
  bool inside;
};

__device__ inline BlockPosition block_position(const GaussianPlanes& model) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
  return {x, y, 2 * x < model.width};
}

// The one or two luma samples of a row; a missing right one is 0.
__device__ inline uchar2 load_pair(const uint8_t* row, int x, bool both) {
  if (both) return __ldg(reinterpret_cast<const uchar2*>(row + x));
  return make_uchar2(__ldg(row + x), 0);
}
// Two pixels of a row that the kernel before wrote.
__device__ inline uchar2 fresh_pair(const uint8_t* row, int x, bool both) {
  if (both) return *reinterpret_cast<const uchar2*>(row + x);
  return make_uchar2(row[x], 0);
}

__device__ inline void store_pair(uint8_t* row, int x, bool both, uchar2 value) {
  if (both) {
    *reinterpret_cast<uchar2*>(row + x) = value;
  } else {
    row[x] = value.x;
  }
}

__device__ inline float chroma_sample(const PictureSamples& picture, int component, int x, int y) {
  const uint8_t* row = picture.chroma[component] + static_cast<size_t>(y) * picture.chroma_stride_bytes;
  return static_cast<float>(__ldg(row + static_cast<size_t>(x) * picture.chroma_step));
}

// The intermediate results of one frame, in the pitches of the model: of each 2x2 block its luma, light,
// chroma and luma differences and chroma distance; of each pixel its distance; of the picture its gains.
struct FrameEvidence {
  float* luma;  // mean of the picture, above black
  float* light;
  float* chroma;
  float* difference;
  float* chroma_difference[2];  // Cb, Cr
  float* distance;
  float* gains;                    // kLightChannels
  uint32_t* histograms;            // kLightBins of each channel, zero between frames
  unsigned long long* mask_count;  // as add_to_total() of block_sum.cuh has it
  float black;
};

__device__ inline FrameLight light_of(const FrameEvidence& evidence, const GaussianSettings& settings) {
  LightGains gains;
#pragma unroll
  for (int channel = 0; channel < kLightChannels; ++channel) gains.of[channel] = evidence.gains[channel];
  return frame_light(evidence.black, gains, settings.darkest_shadow);
}

}  // namespace vantage::gpu
