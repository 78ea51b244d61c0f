// How kernels were launched, for whoever looks at their spans. Remembered are those that were timed.
#pragma once

#include <optional>
#include <string>

#include "core/backend/device.h"

namespace vantage::gpu {

// The last one of a span's name, on any device. Any thread.
std::optional<LaunchShape> last_launch(const std::string& span_name);

}  // namespace vantage::gpu
