#include "gpu/primitives/integral_image.cuh"

#include "gpu/primitives/published/integral.cuh"

namespace vantage::gpu {
namespace {

bool nothing_to_do(const IntegralRequest& request) {
  return request.count == 0 || request.out.first.width == 0 || request.out.first.height == 0;
}

}  // namespace

size_t integral_scratch_bytes(const IntegralRequest& request, IntegralAlgorithm algorithm) {
  if (nothing_to_do(request)) return 0;
  if (algorithm == IntegralAlgorithm::single_pass) return integral::single_pass_scratch_bytes(request);
  return published::integral_scratch_bytes(request, algorithm);
}

cudaError_t integral_prepare_scratch(cudaStream_t stream, const IntegralRequest& request,
                                     IntegralAlgorithm algorithm, void* scratch) {
  const size_t bytes = integral_scratch_bytes(request, algorithm);
  if (algorithm != IntegralAlgorithm::single_pass || bytes == 0) return cudaSuccess;
  return cudaMemsetAsync(scratch, 0, bytes, stream);
}

cudaError_t integral_image(cudaStream_t stream, const IntegralRequest& request, IntegralAlgorithm algorithm,
                           WarpScan scan, void* scratch) {
  if (nothing_to_do(request)) return cudaSuccess;
  if (algorithm == IntegralAlgorithm::single_pass) return integral::run_single_pass(stream, request, scratch);
  return published::integral_image(stream, request, algorithm, scan, scratch);
}

}  // namespace vantage::gpu
