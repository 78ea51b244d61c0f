// The door to the CUDA side: what app sees of gpu. No CUDA type passes through it, so it can be included
// anywhere in app. Programs do not link these functions but open libvantage_cuda.so
// (app/backends/cuda_module.h) and call them by its table, CudaModule.
//
// Everything here takes a device index; nothing assumes a single GPU. Each device has one context object
// (gpu/runtime): one submission thread on which every kernel, copy and graph of that device is enqueued, its
// streams and its memory pool.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/display/display_surface.h"
#include "core/image/backend/device.h"
#include "core/image/backend/registry.h"
#include "core/video/video_source.h"

namespace vantage::gpu {

// ErrorKind::unsupported, saying why (no driver, driver too old, no device), when none can be used.
Result<std::vector<DeviceInfo>> list_devices();

// The devices' names by index; opens none of them.
Result<std::vector<std::string>> device_names();

// Registers every CUDA implementation. Factories make their work on BackendContext::device_index.
void register_cuda_backends(BackendRegistry& registry);

// Returns when everything that this process has enqueued on the device, other libraries of it included, is
// done; work enqueued here waits meanwhile. Errors: device_lost.
Status wait_for_device(int device_index);

// NVDEC through FFmpeg: pictures stay on the device.
Result<std::shared_ptr<HardwareDecode>> make_hardware_decode(int device_index, TraceRecorder* trace);

// Draws into the current OpenGL context through CUDA-OpenGL interop. ErrorKind::unsupported when that context
// runs on another device than device_index: the caller then uses the host display path and says so.
Result<std::unique_ptr<DisplaySurface>> make_interop_surface(int device_index, TraceRecorder* trace);

// The functions of the module, each as the one of its name above, in gpu/runtime/launch_shapes.h or in
// gpu/runtime/device_limits.h. The module exports the table as vantage_cuda_module, and as
// vantage_cuda_identity a text that begins with kIdentityMark: unless the rest is the program's own
// (gpu/identity.cmake), the table's layout is not known.
struct CudaModule {
  Result<std::vector<DeviceInfo>> (*list_devices)() = nullptr;
  Result<std::vector<std::string>> (*device_names)() = nullptr;
  void (*register_cuda_backends)(BackendRegistry& registry) = nullptr;
  Status (*wait_for_device)(int device_index) = nullptr;
  std::optional<LaunchShape> (*last_launch)(const std::string& span_name) = nullptr;
  Result<DeviceRates> (*measure_rates)(int device_index) = nullptr;
  Result<std::shared_ptr<HardwareDecode>> (*make_hardware_decode)(int device_index,
                                                                  TraceRecorder* trace) = nullptr;
  Result<std::unique_ptr<DisplaySurface>> (*make_interop_surface)(int device_index,
                                                                  TraceRecorder* trace) = nullptr;
};
inline constexpr const char* kIdentityMark = "vantage_cuda_identity=";

}  // namespace vantage::gpu
