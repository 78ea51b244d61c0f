// Single algorithms, from arrays to arrays.
#pragma once

#include <pybind11/pybind11.h>

namespace vantage::python {

void add_primitives(pybind11::module_& module);

}  // namespace vantage::python
