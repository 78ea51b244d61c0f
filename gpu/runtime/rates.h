// What the device can do at most, for benches that compare with it.
#pragma once

#include "core/base/result.h"

namespace vantage::gpu {

struct MeasuredRates {
  double copy_bytes_per_s = 0;  // of a large copy inside the device's memory, read plus written; measured
  double texture_samples_per_s = 0;  // bilinear samples: 4 a clock and multiprocessor, at the stated clock
};

// Takes up to 2 GB of the device's memory for a moment.
Result<MeasuredRates> measure_rates(int device_index);

}  // namespace vantage::gpu
