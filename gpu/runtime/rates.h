// The device's rates, for benches that compare with them.
#pragma once

#include "core/backend/device.h"
#include "core/base/result.h"

namespace vantage::gpu {

// The samples: 4 a clock and multiprocessor, at the stated clock. Takes up to 2 GB of the device's memory for
// a moment.
Result<DeviceRates> measure_rates(int device_index);

}  // namespace vantage::gpu
