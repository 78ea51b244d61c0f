// Parameters for Python: by their command-line names, as numbers, booleans and strings.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "core/base/parameters.h"

namespace vantage::python {

namespace py = pybind11;

// A parameter's value as its type: float, int, bool, or the choice's name.
py::object parameter_value(const ParameterDescription& description, double value);
// Sets a parameter from such a value.
void set_parameter(ParameterStore* store, const std::string& stage, const std::string& name,
                   const py::handle& value);
// `store` with these values of one stage; `values`: by name without the stage.
ParameterStore with_values(ParameterStore store, const std::string& stage, const py::kwargs& values);
// The defaults of one struct's table with these values.
ParameterStore parameters_from(const ParameterTable& table, const py::kwargs& values);

// vantage.Parameters of a store, shared with its owner.
py::object parameters_object(std::shared_ptr<ParameterStore> store);

void add_parameters(py::module_& module);

}  // namespace vantage::python
