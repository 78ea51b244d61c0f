#include "app/python/variants.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <memory>
#include <string>

#include "app/python/error.h"
#include "app/python/parameters.h"
#include "app/python/project.h"
#include "core/project/variants.h"

namespace vantage::python {
namespace {

using SharedVariant = std::shared_ptr<Variant>;

// Variants by name. Files that cannot be read are warned of: they stay as they are.
py::dict variants(const OpenProject& open) {
  StoredVariants stored = unlocked([&] { return read_variants(open.project.path, default_parameters()); });
  for (const Error& damaged : stored.damaged)
    if (PyErr_WarnEx(PyExc_UserWarning, damaged.message().c_str(), 1) != 0) throw py::error_already_set();
  py::dict all;
  for (Variant& variant : stored.variants) {
    const py::str name(variant.name);
    all[name] = std::make_shared<Variant>(std::move(variant));
  }
  return all;
}

// What a new variant is made of: nothing, the parameters in use; another variant; or a folder of results.
Variant variant_of(const OpenProject& open, const py::object& from) {
  if (from.is_none()) return {{}, {}, "the project", {}, open.project.parameters};
  if (py::isinstance<Variant>(from)) {
    Variant variant = *from.cast<SharedVariant>();
    variant.origin = "the variant " + variant.name;
    return variant;
  }
  const auto path = from.cast<std::filesystem::path>();
  ParametersOfResults of = value(parameters_of_results(path, default_parameters()));
  return {{}, {}, path.filename().string() + " of version " + of.version, {}, std::move(of.parameters)};
}

SharedVariant add_variant(const OpenProject& open, const std::string& name, const py::object& from,
                          bool replace) {
  Variant variant = variant_of(open, from);
  variant.name = name;
  check(write_variant(open.project.path, variant, replace));
  return std::make_shared<Variant>(value(read_variant(open.project.path, name, default_parameters())));
}

void use_variant(OpenProject& open, const py::object& given) {
  if (py::isinstance<Variant>(given)) {
    open.project.parameters = given.cast<SharedVariant>()->parameters;
    return;
  }
  open.project.parameters =
      value(read_variant(open.project.path, given.cast<std::string>(), default_parameters())).parameters;
}

}  // namespace

void add_variants(py::module_& module) {
  py::class_<Variant, SharedVariant>(module, "Variant",
                                     "A named set of parameters, in addition to a project's.")
      .def_readonly("name", &Variant::name)
      .def_readonly("made_utc", &Variant::made_utc, "\"2026-11-26T06:30:00Z\".")
      .def_readonly("origin", &Variant::origin, "What it was made of, in words.")
      .def_readonly("version", &Variant::version, "Of the program that made it.")
      .def_property_readonly(
          "parameters",
          [](const SharedVariant& variant) { return parameters_object({variant, &variant->parameters}); },
          "Changes are kept by Project.add_variant(name, variant, replace=True).")
      .def("__repr__", [](const Variant& variant) { return "<vantage.Variant " + variant.name + ">"; });
  const py::object project = module.attr("Project");
  const auto add = [&](const char* name, auto function, const auto&... more) {
    project.attr(name) = py::cpp_function(function, py::name(name), py::is_method(project), more...);
  };
  add("variants", &variants, "The variants by name, as their files are now.");
  add("add_variant", &add_variant, py::arg("name"), py::arg("of") = py::none(), py::kw_only(),
      py::arg("replace") = false,
      "Writes a variant: of the parameters in use, of another Variant, or of those that a folder of results\n"
      "was made with. Replaces one of that name only if told.");
  add("use_variant", &use_variant, py::arg("variant"),
      "Gives the project the parameters of a variant, by name or as it is; save() writes them.");
  add(
      "remove_variant",
      [](const OpenProject& open, const std::string& name) {
        check(remove_variant(open.project.path, name));
      },
      py::arg("name"), "With its results.");
}

}  // namespace vantage::python
