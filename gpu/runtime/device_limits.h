// Limits that launches are shaped by, asked of a device once: Context::limits().
#pragma once

#include "core/base/result.h"

namespace vantage::gpu {

class Context;

struct DeviceLimits {
  int multiprocessors = 0;
  int shared_bytes = 0;             // static and dynamic, that a thread block can have
  bool cooperative = false;         // Order::cooperative
  bool dependent_launches = false;  // Order::dependent; elsewhere kernels follow one another
  // From the device's memory to all multiprocessors in a clock of theirs, at the stated clocks; 0: not
  // stated.
  double memory_bytes_per_clock = 0;
};

// On the submission thread.
Result<DeviceLimits> query_device_limits(Context& context);

}  // namespace vantage::gpu
