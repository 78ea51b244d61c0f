// The source of the views' display surfaces: app decides, ui does not know which device the chain runs on.
// Called with the view's OpenGL context current.
#pragma once

#include <functional>
#include <memory>

#include "core/display/display_surface.h"

namespace vantage::ui {

using SurfaceFactory = std::function<std::unique_ptr<DisplaySurface>()>;

}  // namespace vantage::ui
