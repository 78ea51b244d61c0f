// The OpenGL that all views draw with.
#pragma once

namespace vantage::ui {

// OpenGL 3.3, core, with lines wider than a pixel and contexts that share what they hold. Before the
// QApplication.
void choose_gl_format();

}  // namespace vantage::ui
