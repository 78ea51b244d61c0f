// The exports of libvantage_cuda.so: its identity and its table.
#include <string_view>

#include "gpu/cuda_backends.h"
#include "gpu/runtime/device_limits.h"
#include "gpu/runtime/launch_shapes.h"
#include "module_identity.h"

using namespace vantage::gpu;

extern "C" {

[[gnu::visibility("default")]] extern const char vantage_cuda_identity[];
constexpr char vantage_cuda_identity[] = "vantage_cuda_identity=" VANTAGE_CUDA_IDENTITY;
static_assert(std::string_view(vantage_cuda_identity).starts_with(kIdentityMark));

[[gnu::visibility("default")]] extern const CudaModule vantage_cuda_module;
const CudaModule vantage_cuda_module = {list_devices,         device_names,        register_cuda_backends,
                                        wait_for_device,      last_launch,         measure_rates,
                                        make_hardware_decode, make_interop_surface};

}  // extern "C"
