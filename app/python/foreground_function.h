// A Python function that segments pictures in place of the project's foreground method.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>

#include "core/image/backend/memory_transfer.h"
#include "core/image/backend/registry.h"
#include "core/project/project.h"

namespace vantage::python {

namespace py = pybind11;

// The indicator (u8, 255 = 1, host memory, of the picture's size) of a picture in host memory. Cameras may
// ask at the same time, each for its own frames in order.
using PictureForeground = std::function<Result<Image>(size_t camera, const Picture& picture, int64_t frame)>;

// What the function gave for a picture of that size: (height, width), truth values or 8 bits, 255 = 1. None:
// nothing is there. Raises for anything else. With the interpreter's lock.
Image indicator_of(const py::object& found, int width, int height);

// Makes `function` every foreground method of the device. It learns nothing beforehand.
void use_foreground(const PictureForeground& function, const DeviceBackends& backends,
                    BackendRegistry* registry);
// A project whose chain reads no footage to learn an empty scene from.
Project without_learning(Project project);

}  // namespace vantage::python
