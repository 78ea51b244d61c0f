// The chain's findings in a frame, as Python objects.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "app/python/frames.h"
#include "core/pipeline/frame_result.h"

namespace vantage::python {

// A frame with the chain that owns its memory; the chain is destroyed after it.
struct Frame {
  std::shared_ptr<Chain> chain;
  FrameResultRef result;
};

// A carved volume, likewise. One carved separately has a chain without an analysis.
struct Volume {
  std::shared_ptr<Chain> chain;
  CarvedVolume volume;
};

void add_scene(py::module_& module);

}  // namespace vantage::python
