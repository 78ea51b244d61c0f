// How kernels were launched, for the reader of their spans. Remembered are those that were timed.
#pragma once

#include <optional>
#include <string>

#include "core/image/backend/device.h"

namespace vantage::gpu {

// The last one of a span's name, on any device. Any thread.
std::optional<LaunchShape> last_launch(const std::string& span_name);

}  // namespace vantage::gpu
