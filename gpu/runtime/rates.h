// The device's rates, for benches that compare with them.
#pragma once

#include "core/base/result.h"
#include "core/image/backend/device.h"

namespace vantage::gpu {

// The samples: 4 a clock and multiprocessor, at the stated clock. Takes up to 2 GB of the device's memory for
// a short time.
Result<DeviceRates> measure_rates(int device_index);

}  // namespace vantage::gpu
