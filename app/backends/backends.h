// Picks the device a program runs on, for vantage and vantage-cli alike.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/display/display_surface.h"
#include "core/image/backend/device.h"
#include "core/image/backend/registry.h"
#include "core/video/video_source.h"

namespace vantage {

// The device that a program is asked to run on.
struct BackendChoice {
  std::optional<Device> device;  // absent: a GPU when there is one
  int device_index = 0;          // which GPU, from 0
};
// "auto", "cpu", "cuda" (GPU 0) or "cuda:N"; ErrorKind::invalid_argument for anything else.
Result<BackendChoice> parse_backend(std::string_view text);

struct Backends {
  BackendRegistry registry;
  Device device = Device::cpu;
  int device_index = 0;
  std::string description;  // "CPU, 2 threads", "NVIDIA H200", of several "NVIDIA H200 (cuda:1)"
  std::shared_ptr<HardwareDecode> hardware;  // null on the CPU
  std::vector<std::string> notes;            // why a GPU is not used under `auto`

  // Makes things on the chosen device; while this lives.
  DeviceBackends on_device(TraceRecorder* trace = nullptr) const {
    return {&registry, device, {trace, device_index}};
  }
};

// choice: as parse_backend() reads it. `auto` takes the CPU when no GPU answers; a GPU that was asked for and
// is not there is an error: no silent fallback.
Result<Backends> open_backends(std::string_view choice, TraceRecorder* trace);

// The GPUs that can be used, or why there is none.
Result<std::vector<DeviceInfo>> report_devices();
// Their names by index, without opening any; none where there is no GPU.
std::vector<std::string> gpu_names();

// Free memory of the chosen device; fails on the CPU.
Result<double> free_device_bytes(const Backends& backends);

// Returns when everything that this process has enqueued on the chosen device, other libraries of it
// included, is done: for callers that hand its memory to them. On the CPU at once. Errors: device_lost.
Status wait_for_device(const Backends& backends);

// How a kernel of the chosen device was launched last, by the name of its spans.
std::optional<LaunchShape> last_launch(const Backends& backends, const std::string& kernel);

// The chosen device's rates, measured now.
Result<DeviceRates> measure_rates(const Backends& backends);

// A surface for the current OpenGL context that reads the chosen device's memory, or an error saying why the
// host path has to be used. Always an error on the CPU.
Result<std::unique_ptr<DisplaySurface>> make_device_surface(const Backends& backends, TraceRecorder* trace);

}  // namespace vantage
