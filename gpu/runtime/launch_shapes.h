// How kernels were launched, for the reader of their spans. Remembered are those that were timed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/image/backend/device.h"

namespace vantage::gpu {

// The last one of a span's name, on any device. Any thread.
std::optional<LaunchShape> last_launch(const std::string& span_name);

// Thread blocks for `count` things, of which each takes `each`.
constexpr unsigned blocks_for(int64_t count, int64_t each) {
  return static_cast<unsigned>((count + each - 1) / each);
}

}  // namespace vantage::gpu
