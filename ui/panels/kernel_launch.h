// How a device's kernel was launched last, as whoever owns the device tells the timings.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace vantage::ui {

struct KernelLaunch {
  std::array<unsigned, 3> blocks{}, threads{};
  unsigned registers = 0;     // a thread; 0: not known
  unsigned shared_bytes = 0;  // a thread block
};
// By the kernel's name in the timings; nothing where it is not known.
using LaunchLookup = std::function<std::optional<KernelLaunch>(const std::string&)>;

}  // namespace vantage::ui
