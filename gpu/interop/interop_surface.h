// DisplaySurface through CUDA-OpenGL interop: pictures, indicators, height labels and shell points go from
// the device's memory into the view's texture or buffer without the host.
#pragma once

#include <memory>

#include "core/base/trace.h"
#include "core/display/display_surface.h"

namespace vantage::gpu {

class Context;

// For the OpenGL context that is current, on whose thread the surface is used from then on.
// ErrorKind::unsupported when that context runs on another device.
Result<std::unique_ptr<DisplaySurface>> make_interop_surface(std::shared_ptr<Context> context,
                                                             TraceRecorder* trace);

}  // namespace vantage::gpu
