#include "gpu/primitives/integral_image.cuh"

namespace vantage::gpu {
namespace {

// From so many pixels of the whole batch on two_reads is faster, as measured on an H200; below, its launches
// cost more than the waiting they save.
constexpr int64_t two_reads_from(IntegralType in) {
  switch (in) {
    case IntegralType::u8:
      return 6'000'000;  // the second read is a fifth of the traffic
    case IntegralType::f64:
      return 4'000'000;  // single_pass has smaller tiles, more of them wait
    default:
      return 40'000'000;
  }
}

bool nothing_to_do(const IntegralRequest& request) {
  return request.count == 0 || request.out.first.width == 0 || request.out.first.height == 0;
}

}  // namespace

size_t integral_scratch_bytes(const IntegralRequest& request, IntegralAlgorithm algorithm) {
  if (nothing_to_do(request)) return 0;
  if (algorithm == IntegralAlgorithm::single_pass) return integral::single_pass_scratch_bytes(request);
  if (algorithm == IntegralAlgorithm::two_reads) return integral::two_reads_scratch_bytes(request);
  return integral::published_scratch_bytes(request, algorithm);
}

cudaError_t integral_prepare_scratch(cudaStream_t stream, const IntegralRequest& request,
                                     IntegralAlgorithm algorithm, void* scratch) {
  const size_t bytes = integral_scratch_bytes(request, algorithm);
  if (algorithm != IntegralAlgorithm::single_pass || bytes == 0) return cudaSuccess;
  return cudaMemsetAsync(scratch, 0, bytes, stream);
}

IntegralAlgorithm integral_algorithm_for(int device, const IntegralRequest& request) {
  const int64_t pixels = int64_t{request.out.first.width} * request.out.first.height * request.count;
  if (pixels >= two_reads_from(request.in_type)) return IntegralAlgorithm::two_reads;
  int shared = 0, major = 0;
  if (cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess)
    return IntegralAlgorithm::two_reads;
  const bool possible =
      major >= 7 && integral::single_pass_shared_bytes(request) <= static_cast<size_t>(shared);
  return possible ? IntegralAlgorithm::single_pass : IntegralAlgorithm::two_reads;
}

cudaError_t integral_image(cudaStream_t stream, const IntegralRequest& request, IntegralAlgorithm algorithm,
                           WarpScan scan, void* scratch) {
  if (nothing_to_do(request)) return cudaSuccess;
  if (algorithm == IntegralAlgorithm::single_pass) return integral::run_single_pass(stream, request, scratch);
  if (algorithm == IntegralAlgorithm::two_reads) return integral::run_two_reads(stream, request, scratch);
  return integral::run_published(stream, request, algorithm, scan, scratch);
}

}  // namespace vantage::gpu
