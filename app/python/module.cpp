#include <pybind11/pybind11.h>

#include "app/python/calibrate.h"
#include "app/python/error.h"
#include "app/python/evaluation.h"
#include "app/python/frames.h"
#include "app/python/parameters.h"
#include "app/python/primitives.h"
#include "app/python/project.h"
#include "app/python/scene.h"
#include "app/python/scene_algorithms.h"
#include "app/python/tensor.h"
#include "app/python/variants.h"

PYBIND11_MODULE(_core, module) {
  namespace python = vantage::python;
  module.attr("__version__") = VANTAGE_VERSION;
  python::add_errors(module);
  python::add_parameters(module);
  python::add_projects(module);
  python::add_variants(module);
  python::add_tensors(module);
  python::add_scene(module);
  python::add_frames(module);
  python::add_primitives(module);
  python::add_scene_algorithms(module);
  python::add_calibrate(module);
  python::add_evaluation(module);
  pybind11::list names;
  for (const auto& [name, ignored] : module.attr("__dict__").cast<pybind11::dict>())
    if (const auto text = name.cast<std::string>(); text[0] != '_') names.append(text);
  module.attr("__all__") = names;
}
