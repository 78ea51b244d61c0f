// The core's errors as Python exceptions: vantage.Error, with the text of the command line.
#pragma once

#include <pybind11/pybind11.h>
#include <chrono>
#include <future>
#include <utility>

#include "core/base/result.h"
#include "core/base/threads.h"

namespace vantage::python {

namespace py = pybind11;

// Requires the interpreter's lock.
[[noreturn]] void raise(const Error& error);
void add_errors(py::module_& module);

template <typename T>
T value(Result<T> result) {
  if (!result) raise(result.error());
  return std::move(*result);
}
inline void check(const Status& status) {
  if (!status) raise(status.error());
}

// The result of `compute`, which runs without the interpreter's lock and uses nothing of Python.
template <typename F>
auto unlocked(F compute) {
  const py::gil_scoped_release released;
  return compute();
}

// Long work that Ctrl-C stops.

inline constexpr auto kSignalsEvery = std::chrono::milliseconds(100);

// The result of `compute`, which runs on another thread, uses nothing of Python and ends soon after a stop
// request. Called with the interpreter's lock; raises KeyboardInterrupt on Ctrl-C.
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
