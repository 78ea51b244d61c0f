// Single algorithms that need a project's cameras, and paths over the floor.
#pragma once

#include <pybind11/pybind11.h>

namespace vantage::python {

void add_scene_algorithms(pybind11::module_& module);

}  // namespace vantage::python
