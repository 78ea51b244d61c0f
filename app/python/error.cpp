#include "app/python/error.h"

#include "core/base/log.h"

namespace vantage::python {
namespace {

PyObject* error_type = nullptr;

const char* kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_argument:
      return "invalid_argument";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::bad_data:
      return "bad_data";
    case ErrorKind::io:
      return "io";
    case ErrorKind::out_of_memory:
      return "out_of_memory";
    case ErrorKind::device_lost:
      return "device_lost";
    case ErrorKind::cancelled:
      return "cancelled";
    case ErrorKind::end_of_stream:
      return "end_of_stream";
  }
  return "unknown";
}

}  // namespace

void raise(const Error& error) {
  const auto text = [](const std::string& words) { return py::str(redact_credentials(words)); };
  py::object raised = py::handle(error_type)(text(error.message()));
  raised.attr("kind") = kind_name(error.kind);
  raised.attr("what") = text(error.what);
  raised.attr("where") = text(error.where);
  raised.attr("remedy") = text(error.remedy);
  PyErr_SetObject(error_type, raised.ptr());
  throw py::error_already_set();
}

void add_errors(py::module_& module) {
  error_type = PyErr_NewExceptionWithDoc(
      "vantage.Error",
      "What failed: `what` happened, `where`, and the `remedy`; `kind` is a word for programs.", nullptr,
      nullptr);
  module.attr("Error") = py::handle(error_type);
}

}  // namespace vantage::python
