// A CUDA module without CUDA: its only device is named after the host pool that it sees.
#include <string>

#include "core/image/buffer.h"
#include "gpu/cuda_backends.h"
#include "module_identity.h"

namespace {

using vantage::gpu::CudaModule;

#ifdef OTHER_BUILD
#define IDENTITY "0.0.9, sources 0123456789ab"
#else
#define IDENTITY VANTAGE_CUDA_IDENTITY
#endif

}  // namespace

namespace vantage {

void not_in_this_program();

}  // namespace vantage

[[maybe_unused]] static vantage::Result<std::vector<std::string>> names() {
#ifdef CALLS_WHAT_IS_NOT_THERE
  vantage::not_in_this_program();
#endif
  return std::vector<std::string>{std::to_string(reinterpret_cast<uintptr_t>(&vantage::HostPool::shared()))};
}

#ifndef NO_TABLE
extern "C" {

[[gnu::visibility("default")]] extern const char vantage_cuda_identity[];
const char vantage_cuda_identity[] = "vantage_cuda_identity=" IDENTITY;

[[gnu::visibility("default")]] extern const CudaModule vantage_cuda_module;
const CudaModule vantage_cuda_module = {.device_names = names};

}  // extern "C"
#endif
