// Long work that Ctrl-C stops.
#pragma once

#include <chrono>
#include <future>
#include <utility>

#include "app/python/error.h"
#include "core/base/stop_token.h"

namespace vantage::python {

inline constexpr auto kSignalsEvery = std::chrono::milliseconds(100);

// The result of `compute`, which runs on another thread, touches nothing of Python and ends soon after a
// request to stop. Called with the interpreter's lock; raises KeyboardInterrupt on Ctrl-C.
template <typename F>
auto interruptible(StopSource stop, F compute) {
  auto result = std::async(std::launch::async, std::move(compute));
  while (unlocked([&] { return result.wait_for(kSignalsEvery); }) != std::future_status::ready) {
    if (PyErr_CheckSignals() == 0) continue;
    stop.request_stop();
    unlocked([&] { result.wait(); });
    throw py::error_already_set();
  }
  return result.get();
}

}  // namespace vantage::python
