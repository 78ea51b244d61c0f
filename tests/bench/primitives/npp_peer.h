// nppiIntegral: exclusive, one larger each way.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace vantage::bench {

bool npp_available();
// False when NPP refuses. out_stride_bytes is a multiple of 4.
bool npp_integral_u8_s32(cudaStream_t stream, const void* in, size_t in_stride_bytes, void* out,
                         size_t out_stride_bytes, int width, int height);
bool npp_integral_u8_f32(cudaStream_t stream, const void* in, size_t in_stride_bytes, void* out,
                         size_t out_stride_bytes, int width, int height);

}  // namespace vantage::bench
