// A GPU as programs, window and benches describe it, and how its kernels were launched. Plain data, known to
// all; where a figure comes from: gpu/cuda_backends.h, gpu/runtime/launch_shapes.h.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace vantage {

struct DeviceInfo {
  int index = 0;
  std::string name;
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  size_t memory_bytes = 0, free_bytes = 0;
  std::string driver_version, runtime_version;  // "13.0"
  std::vector<std::string> decoders;            // codecs decoded on the device: "h264", "hevc", "vp9"
};

// The limits that a bench compares with, measured.
struct DeviceRates {
  double copy_bytes_per_s = 0;       // of a large copy in the device's memory, read plus written
  double texture_samples_per_s = 0;  // bilinear samples by its texture units; 0 on the CPU
};

struct LaunchShape {
  std::array<unsigned, 3> blocks{}, threads{};
  unsigned registers = 0;     // a thread; 0: not known
  unsigned shared_bytes = 0;  // a thread block
};
// A kernel's last launch by the name of its spans; nothing where it is not known.
using LaunchLookup = std::function<std::optional<LaunchShape>(const std::string&)>;

}  // namespace vantage
