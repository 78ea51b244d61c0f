// Projects for Python.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>

#include "app/backends/backends.h"
#include "app/python/parameters.h"
#include "core/project/project.h"

namespace vantage::python {

namespace py = pybind11;

struct OpenProject {
  Project project;
  uint64_t stamp = 0;  // stamp of the file when it was last read or written (core/project/project_store.h)
};

// The index of a camera given by name or by index from 0; raises for others.
size_t camera_index(const Project& project, const py::object& camera);

// Opened once for each choice: "auto", "cpu", "cuda", "cuda:N". Kept with the module.
std::shared_ptr<Backends> backends_for(const std::string& choice);

// Raises unless every camera has a calibration.
void require_calibrated(const Project& project);

void add_projects(py::module_& module);

}  // namespace vantage::python
