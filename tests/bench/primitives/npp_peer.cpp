#include "tests/bench/primitives/npp_peer.h"

#include <nppi_statistics_functions.h>

namespace vantage::bench {
namespace {

NppStreamContext context_of(cudaStream_t stream) {
  NppStreamContext context{};
  context.hStream = stream;
  cudaGetDevice(&context.nCudaDeviceId);
  const int device = context.nCudaDeviceId;
  cudaDeviceGetAttribute(&context.nMultiProcessorCount, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&context.nMaxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor,
                         device);
  cudaDeviceGetAttribute(&context.nMaxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock, device);
  int shared = 0;
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, device);
  context.nSharedMemPerBlock = static_cast<size_t>(shared);
  cudaDeviceGetAttribute(&context.nCudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMajor,
                         device);
  cudaDeviceGetAttribute(&context.nCudaDevAttrComputeCapabilityMinor, cudaDevAttrComputeCapabilityMinor,
                         device);
  cudaStreamGetFlags(stream, &context.nStreamFlags);
  return context;
}

}  // namespace

bool npp_available() {
  return true;
}

bool npp_integral_u8_s32(cudaStream_t stream, const void* in, size_t in_stride_bytes, void* out,
                         size_t out_stride_bytes, int width, int height) {
  return nppiIntegral_8u32s_C1R_Ctx(static_cast<const Npp8u*>(in), static_cast<int>(in_stride_bytes),
                                    static_cast<Npp32s*>(out), static_cast<int>(out_stride_bytes),
                                    {width, height}, 0, context_of(stream)) == NPP_SUCCESS;
}

bool npp_integral_u8_f32(cudaStream_t stream, const void* in, size_t in_stride_bytes, void* out,
                         size_t out_stride_bytes, int width, int height) {
  return nppiIntegral_8u32f_C1R_Ctx(static_cast<const Npp8u*>(in), static_cast<int>(in_stride_bytes),
                                    static_cast<Npp32f*>(out), static_cast<int>(out_stride_bytes),
                                    {width, height}, 0, context_of(stream)) == NPP_SUCCESS;
}

}  // namespace vantage::bench
