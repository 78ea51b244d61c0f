// Measures of tracks, and synchronisation.
#pragma once

#include <pybind11/pybind11.h>

namespace vantage::python {

void add_evaluation(pybind11::module_& module);

}  // namespace vantage::python
