#include "app/python/parameters.h"

#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "app/python/error.h"
#include "core/project/variants.h"

namespace vantage::python {
namespace {

// The parts of "carving.threshold".
struct Key {
  std::string stage, name;
};

Key key_of(const std::string& text) {
  const size_t dot = text.find('.');
  if (dot == std::string::npos) throw py::key_error(text + " (parameters are called STAGE.NAME)");
  return {text.substr(0, dot), text.substr(dot + 1)};
}

// The parameters of a project or a variant, like a dict with fixed keys. Shares the store with its owner.
class Parameters {
 public:
  explicit Parameters(std::shared_ptr<ParameterStore> store) : store_(std::move(store)) {}

  const ParameterStore& store() const { return *store_; }
  ParameterStore& store() { return *store_; }

  const ParameterDescription& describe(const Key& key) const {
    for (const ParameterTable* table : store().tables())
      if (table->stage == key.stage)
        if (const ParameterDescription* found = table->find(key.name)) return *found;
    // The error suggests the nearest name, as on the command line.
    const auto missing = store().get(key.stage, key.name);
    throw py::key_error(missing ? key.stage + "." + key.name : missing.error().message());
  }
  bool contains(const std::string& text) const {
    const size_t dot = text.find('.');
    return dot != std::string::npos && store().get(text.substr(0, dot), text.substr(dot + 1)).has_value();
  }
  py::object get(const std::string& text) const {
    const Key key = key_of(text);
    const ParameterDescription& description = describe(key);
    return parameter_value(description, value(store().get(key.stage, key.name)));
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const ParameterTable* table : store().tables())
      for (const ParameterDescription& entry : table->entries) all.push_back(table->stage + "." + entry.name);
    return all;
  }
  py::dict changed() const {
    py::dict values;
    for (const ParameterTable* table : store().tables())
      for (const ParameterDescription& entry : table->entries)
        if (!store().is_default(table->stage, entry.name))
          values[py::str(table->stage + "." + entry.name)] = get(table->stage + "." + entry.name);
    return values;
  }
  py::dict description(const std::string& text) const {
    const ParameterDescription& entry = describe(key_of(text));
    py::dict words;
    words["name"] = entry.display_name, words["unit"] = entry.unit, words["help"] = entry.help;
    words["default"] = parameter_value(entry, entry.default_value);
    words["range"] = ParameterStore::range_text(entry);
    words["min"] = entry.minimum, words["max"] = entry.maximum, words["choices"] = entry.choices;
    return words;
  }
  // The two values by key.
  py::dict difference(const Parameters& other) const {
    py::dict values;
    for (const ParameterDifference& one : parameter_differences(store(), other.store()))
      values[py::str(one.key())] = py::make_tuple(parameter_value(*one.description, one.first),
                                                  parameter_value(*one.description, one.second));
    return values;
  }

 private:
  std::shared_ptr<ParameterStore> store_;
};

}  // namespace

py::object parameter_value(const ParameterDescription& description, double value) {
  switch (description.type) {
    case ParameterType::boolean:
      return py::bool_(value != 0);
    case ParameterType::integer:
      return py::int_(static_cast<int64_t>(value));
    case ParameterType::choice:
      return py::str(description.choices.at(static_cast<size_t>(value)));
    default:
      return py::float_(value);
  }
}

void set_parameter(ParameterStore* store, const std::string& stage, const std::string& name,
                   const py::handle& value) {
  if (py::isinstance<py::str>(value))
    return check(store->set_from_text(stage + "." + name + "=" + value.cast<std::string>()));
  check(store->set(stage, name, value.cast<double>()));
}

ParameterStore with_values(ParameterStore store, const std::string& stage, const py::kwargs& values) {
  for (const auto& [name, value] : values) set_parameter(&store, stage, name.cast<std::string>(), value);
  return store;
}

ParameterStore parameters_from(const ParameterTable& table, const py::kwargs& values) {
  return with_values(ParameterStore({&table}), table.stage, values);
}

py::object parameters_object(std::shared_ptr<ParameterStore> store) {
  return py::cast(Parameters(std::move(store)));
}

void add_parameters(py::module_& module) {
  py::class_<Parameters>(
      module, "Parameters",
      "The parameters of a project or variant by their command-line names: parameters['carving.threshold'].")
      .def("__getitem__", &Parameters::get)
      .def("__setitem__",
           [](Parameters& parameters, const std::string& text, const py::object& value) {
             const Key key = key_of(text);
             parameters.describe(key);
             set_parameter(&parameters.store(), key.stage, key.name, value);
           })
      .def("__contains__", &Parameters::contains)
      .def("__len__", [](const Parameters& parameters) { return parameters.keys().size(); })
      .def("__iter__", [](const Parameters& parameters) { return py::iter(py::cast(parameters.keys())); })
      .def("keys", &Parameters::keys)
      .def("changed", &Parameters::changed, "A dict of those that are not at their default.")
      .def("describe", &Parameters::description, py::arg("key"),
           "A dict: name, unit, help, default, range in words, min, max, choices.")
      .def("difference", &Parameters::difference, py::arg("other"),
           "A dict of those that differ: (the value here, the other's).")
      .def(
          "reset",
          [](Parameters& parameters, const std::string& text) {
            const Key key = key_of(text);
            parameters.describe(key);
            parameters.store().reset(key.stage, key.name);
          },
          py::arg("key"));
}

}  // namespace vantage::python
