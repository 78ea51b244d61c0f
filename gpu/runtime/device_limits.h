// Limits that launches are shaped by, asked of a device once: Context::limits().
#pragma once

#include "core/base/result.h"
#include "core/image/backend/device.h"

namespace vantage::gpu {

class Context;

struct DeviceLimits {
  int multiprocessors = 0;
  int shared_bytes = 0;      // static and dynamic, that a thread block can have
  bool cooperative = false;  // Order::cooperative
  // Order::dependent: the device can, and kernels were compiled for 9.0 or later. Elsewhere they follow one
  // another.
  bool dependent_launches = false;
  // Bytes from the device's memory to all multiprocessors in a clock of theirs, at the stated clocks; 0: not
  // stated.
  double memory_bytes_per_clock = 0;
};

// On the submission thread.
Result<DeviceLimits> query_device_limits(Context& context);

// The device's rates, for benches that compare with them.

// The samples: 4 a clock and multiprocessor, at the stated clock. Takes up to 2 GB of the device's memory for
// a short time.
Result<DeviceRates> measure_rates(int device_index);

}  // namespace vantage::gpu
