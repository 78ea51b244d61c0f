#include "gpu/runtime/devices.h"

#include <cuda_runtime_api.h>

#include "gpu/runtime/context.h"
#include "gpu/runtime/cuda_error.h"

namespace vantage::gpu {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Result<DeviceInfo> query_device(int index) {
  VANTAGE_ASSIGN(const std::shared_ptr<Context> context, Context::get(index));
  return context->run([&]() -> Result<DeviceInfo> {
    cudaDeviceProp properties;
    VANTAGE_TRY(context->check(cudaGetDeviceProperties(&properties, index), "read the device's properties"));
    DeviceInfo device;
    device.index = index;
    device.name = properties.name;
    device.compute_major = properties.major;
    device.compute_minor = properties.minor;
    device.multiprocessors = properties.multiProcessorCount;
    VANTAGE_TRY(
        context->check(cudaMemGetInfo(&device.free_bytes, &device.memory_bytes), "read the device's memory"));
    int driver = 0, runtime = 0;
    VANTAGE_TRY(context->check(cudaDriverGetVersion(&driver), "read the driver's version"));
    VANTAGE_TRY(context->check(cudaRuntimeGetVersion(&runtime), "read the CUDA version"));
    device.driver_version = version_text(driver);
    device.runtime_version = version_text(runtime);
    return device;
  });
}

// At least one, or why there is none.
Result<int> count_usable_devices() {
  int count = 0;
  cudaError_t code = count_devices(&count);
  if (code == cudaSuccess && count == 0) code = cudaErrorNoDevice;
  if (code != cudaSuccess) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    Error error = cuda_error(code, "no CUDA device can be used", 0);
    error.kind = ErrorKind::unsupported;
    error.where = driver == 0 ? "no NVIDIA driver" : "NVIDIA driver for CUDA " + version_text(driver);
    if (driver == 0) error.remedy = "Install the NVIDIA driver, or use the CPU.";
    return fail(std::move(error));
  }
  return count;
}

}  // namespace

Result<std::vector<std::string>> query_device_names() {
  VANTAGE_ASSIGN(const int count, count_usable_devices());
  std::vector<std::string> names;
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp properties;
    if (const cudaError_t code = cudaGetDeviceProperties(&properties, index); code != cudaSuccess)
      return fail(cuda_error(code, "read the device's properties", index));
    names.push_back(properties.name);
  }
  return names;
}

Result<std::vector<DeviceInfo>> query_devices() {
  VANTAGE_ASSIGN(const int count, count_usable_devices());
  std::vector<DeviceInfo> devices;
  for (int index = 0; index < count; ++index) {
    VANTAGE_ASSIGN(DeviceInfo device, query_device(index));
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace vantage::gpu
