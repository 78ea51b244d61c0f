// The menu bar: every command of the window in its place.
#pragma once

#include <QString>
#include <functional>

#include "ui/main_window/window_actions.h"

class QMainWindow;

namespace vantage::ui {

// `open` is called with the file of a recent project that was chosen.
void build_menus(QMainWindow& window, const WindowActions& actions,
                 std::function<void(const QString& file)> open);

}  // namespace vantage::ui
