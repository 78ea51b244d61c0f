// Arrays in the chain's memory, passed to other libraries by DLPack.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "app/python/frames.h"
#include "core/image/picture.h"

namespace vantage::python {

// Part of a chain's memory, on the host or a device, which it keeps alive. Read-only: DLPack before 1.0
// cannot express that.
struct Tensor {
  std::shared_ptr<Chain> chain;
  BufferRef buffer;
  const void* data = nullptr;
  ImageType type = ImageType::u8;
  std::vector<int64_t> shape, strides;  // in elements
};

// (height, width) of an image.
Tensor tensor_of(std::shared_ptr<Chain> chain, const Image& image);
// (height, width) Y' of a picture.
Tensor tensor_of(std::shared_ptr<Chain> chain, const Picture& picture);

// (height, width, 2) of an image whose rows are pairs.
Tensor pairs_of(std::shared_ptr<Chain> chain, const Image& image);
// (depth, height, width) of an image whose rows are those of `depth` planes of that height.
Tensor planes_of(std::shared_ptr<Chain> chain, const Image& image, int64_t depth);
// (count) of an image of one row; count above 0.
Tensor row_of(std::shared_ptr<Chain> chain, const Image& image, int64_t count);

void add_tensors(py::module_& module);

}  // namespace vantage::python
