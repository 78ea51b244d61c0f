// Everything in the window that does something with the open project, in one list.
#pragma once

#include <vector>

#include "ui/main_window/control.h"

namespace vantage::ui {

// In the order in which they are told of changes; they belong to the window. Sets `parts.playback`,
// `parts.overlays` and `parts.floor`.
std::vector<Control*> make_controls(WindowParts& parts);

}  // namespace vantage::ui
