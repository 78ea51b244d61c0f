#include "gpu/cuda_backends.h"

#include "gpu/carving/carving_cuda.h"
#include "gpu/codec/hardware_decode_cuda.h"
#include "gpu/codec/nvdec_caps.h"
#include "gpu/features/daisy_cuda.h"
#include "gpu/foreground/foreground_cuda.h"
#include "gpu/heads/heads_cuda.h"
#include "gpu/height_map/height_cost_cuda.h"
#include "gpu/height_map/height_solver_cuda.h"
#include "gpu/image/memory_transfer_cuda.h"
#include "gpu/interop/interop_surface.h"
#include "gpu/occupancy/floor_map_cuda.h"
#include "gpu/occupancy/occupancy_map_cuda.h"
#include "gpu/optical_flow/optical_flow_cuda.h"
#include "gpu/primitives/primitives_cuda.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/devices.h"
#include "gpu/sync/signatures_cuda.h"
#include "gpu/tracking/association_cuda.h"
#include "gpu/tracking/mask_sampler_cuda.h"

namespace vantage::gpu {

Result<std::vector<DeviceInfo>> list_devices() {
  VANTAGE_ASSIGN(const std::vector<DeviceProperties> found, query_devices());
  std::vector<DeviceInfo> devices;
  for (const DeviceProperties& properties : found) {
    DeviceInfo device{properties.index,           properties.name,
                      properties.compute_major,   properties.compute_minor,
                      properties.multiprocessors, properties.memory_bytes,
                      properties.free_bytes,      properties.driver_version,
                      properties.runtime_version, {}};
    VANTAGE_ASSIGN(const std::shared_ptr<Context> context, Context::get(properties.index));
    VANTAGE_ASSIGN(const std::vector<DecoderCaps> decoders, query_decoders(*context));
    for (const DecoderCaps& decoder : decoders) device.decoders.push_back(decoder.codec);
    devices.push_back(std::move(device));
  }
  return devices;
}

Result<std::vector<std::string>> device_names() {
  return query_device_names();
}

void register_cuda_backends(BackendRegistry& registry) {
  register_memory_transfer_cuda(registry);
  register_foreground_cuda(registry);
  register_carving_cuda(registry);
  register_floor_map_cuda(registry);
  register_occupancy_map_cuda(registry);
  register_heads_cuda(registry);
  register_daisy_cuda(registry);
  register_height_cost_cuda(registry);
  register_height_solver_cuda(registry);
  register_optical_flow_cuda(registry);
  register_primitives_cuda(registry);
  register_signatures_cuda(registry);
  register_mask_sampler_cuda(registry);
  register_track_association_cuda(registry);
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
