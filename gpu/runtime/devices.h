// The CUDA devices of this machine; list_devices() of gpu/cuda_backends.h rests on it.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/image/backend/device.h"

namespace vantage::gpu {

// All but their decoders. ErrorKind::unsupported with the reason when there is none.
Result<std::vector<DeviceInfo>> query_devices();
// Their names alone, by index: no device is opened for it.
Result<std::vector<std::string>> query_device_names();

}  // namespace vantage::gpu
