// The core's errors as Python's: vantage.Error, with the sentence that the command line prints.
#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "core/base/result.h"

namespace vantage::python {

namespace py = pybind11;

// With the interpreter's lock held.
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

// The result of `compute`, which runs without the interpreter's lock and touches nothing of Python.
template <typename F>
auto unlocked(F compute) {
  const py::gil_scoped_release released;
  return compute();
}

}  // namespace vantage::python
