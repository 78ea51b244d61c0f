// What the chain finds in a frame, as Python sees it.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "app/python/frames.h"
#include "core/pipeline/frame_result.h"

namespace vantage::python {

// A frame with the chain that its memory belongs to and that goes after it.
struct Frame {
  std::shared_ptr<Chain> chain;
  FrameResultRef result;
};

// A carved volume, likewise; of a chain without an analysis where it was carved by itself.
struct Volume {
  std::shared_ptr<Chain> chain;
  CarvedVolume volume;
};

void add_scene(py::module_& module);

}  // namespace vantage::python
