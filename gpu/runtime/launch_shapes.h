// How kernels were launched, for whoever looks at their spans. Remembered are those that were timed.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace vantage::gpu {

struct LaunchShape {
  std::array<unsigned, 3> blocks{}, threads{};
  unsigned registers = 0;     // a thread
  unsigned shared_bytes = 0;  // a thread block
};

// The last one of a span's name, on any device. Any thread.
std::optional<LaunchShape> last_launch(const std::string& span_name);

}  // namespace vantage::gpu
