#include "gpu/cuda_backends.h"

#include "gpu/algorithms.h"
#include "gpu/codec/hardware_decode_cuda.h"
#include "gpu/codec/nvdec_caps.h"
#include "gpu/interop/interop_surface.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/devices.h"

namespace vantage::gpu {

Result<std::vector<DeviceInfo>> list_devices() {
  VANTAGE_ASSIGN(std::vector<DeviceInfo> devices, query_devices());
  for (DeviceInfo& device : devices) {
    VANTAGE_ASSIGN(const std::shared_ptr<Context> context, Context::get(device.index));
    VANTAGE_ASSIGN(const std::vector<DecoderCaps> decoders, query_decoders(*context));
    for (const DecoderCaps& decoder : decoders) device.decoders.push_back(decoder.codec);
  }
  return devices;
}

Result<std::vector<std::string>> device_names() {
  return query_device_names();
}

void register_cuda_backends(BackendRegistry& registry){
#define VANTAGE_REGISTER(NAME) register_##NAME##_cuda(registry);
    VANTAGE_CUDA_ALGORITHMS(VANTAGE_REGISTER)
#undef VANTAGE_REGISTER
}

Status wait_for_device(int device_index) {
  VANTAGE_ASSIGN(const std::shared_ptr<Context> context, Context::get(device_index));
  return context->run([&] { return context->check(cudaDeviceSynchronize(), "wait for the device"); });
}

Result<std::shared_ptr<HardwareDecode>> make_hardware_decode(int device_index, TraceRecorder* trace) {
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(device_index));
  return make_hardware_decode(std::move(context), trace);
}

Result<std::unique_ptr<DisplaySurface>> make_interop_surface(int device_index, TraceRecorder* trace) {
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(device_index));
  return make_interop_surface(std::move(context), trace);
}

}  // namespace vantage::gpu
