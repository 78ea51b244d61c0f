// Conversion between NumPy arrays and images, without copying where possible.
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <vector>

#include "app/python/error.h"
#include "core/image/picture.h"

namespace vantage::python {

using Shape = std::vector<py::ssize_t>;

// Name of the capsules that keep our memory for arrays.
inline constexpr const char* kOurMemory = "vantage.memory";

// A read-only array over memory that `owner` keeps alive; strides in bytes.
template <typename T>
py::array view_of(const T* data, const Shape& shape, const Shape& strides,
                  std::shared_ptr<const void> owner) {
  auto* const kept = new std::shared_ptr<const void>(std::move(owner));
  const py::capsule base(kept, kOurMemory, [](PyObject* capsule) {
    delete static_cast<std::shared_ptr<const void>*>(PyCapsule_GetPointer(capsule, kOurMemory));
  });
  py::array array(py::dtype::of<T>(), shape, strides, data, base);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// An image in host memory, (height, width).
py::array view_of(const Image& image);
// The same memory as (height, width / channels, channels), for images with several numbers per pixel.
py::array view_of(const Image& image, int channels);

// A (height, width) array of that element type in host memory. Shares the array's memory, kept alive, if it
// is laid out as images are (arrays from here are); else a copy. `name`: the argument, for errors.
Image image_of(const py::array& array, ImageType type, const char* name);
Image copied_image_of(const py::array& array, ImageType type, const char* name);
// A picture from (height, width, 3) R, G, B or (height, width) grey, 8 bits; in the colours that the
// chain works in (core/video/working_colors.h).
Picture picture_of(const py::array& array, const char* name);
// The same, with grey levels as the picture's Y'.
Picture luma_picture_of(const py::array& array, const char* name);
// (height, width, 3) R, G, B of a picture in host memory; a new array.
py::array rgb_of(const Picture& picture);

// Raises for an array of other dimensions, with the argument's name; -1: any size.
void require_shape(const py::array& array, const Shape& shape, const char* name);

}  // namespace vantage::python
