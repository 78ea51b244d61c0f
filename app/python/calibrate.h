// Cameras solved by a board, as Python sees it.
#pragma once

#include <pybind11/pybind11.h>

namespace vantage::python {

void add_calibrate(pybind11::module_& module);

}  // namespace vantage::python
