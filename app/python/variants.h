// Named parameter sets of a project (core/project/variants.h) as Python sees them.
#pragma once

#include <pybind11/pybind11.h>

namespace vantage::python {

void add_variants(pybind11::module_& module);

}  // namespace vantage::python
