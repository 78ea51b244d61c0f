// What CUDA devices there are; list_devices() of gpu/cuda_backends.h rests on it.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage::gpu {

struct DeviceProperties {
  int index = 0;
  std::string name;
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  size_t memory_bytes = 0, free_bytes = 0;
  std::string driver_version, runtime_version;  // "13.0"
};

// ErrorKind::unsupported with the reason when there is none.
Result<std::vector<DeviceProperties>> query_devices();
// Their names alone, by index: no device is opened for it.
Result<std::vector<std::string>> query_device_names();

}  // namespace vantage::gpu
