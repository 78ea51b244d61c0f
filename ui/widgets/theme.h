// Light and dark, and following the system between them.
#pragma once

#include <QPalette>

namespace vantage::ui {

enum class Theme { system, light, dark };

// Sets the application's style, palette and tooltips. `system` follows the palette the program was started
// with.
void apply_theme(Theme theme);
bool is_dark(const QPalette& palette);

}  // namespace vantage::ui
