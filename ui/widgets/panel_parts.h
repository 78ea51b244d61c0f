// Pieces that panels are made of.
#pragma once

#include <QLabel>
#include <QToolButton>

namespace vantage::ui {

// Plain text that wraps and can be copied; the quiet one stands back.
QLabel* text_label(const QString& text = {});
QLabel* quiet_label(const QString& text = {});

// A button that shows the action's words; its accessible name are these.
QToolButton* text_button(QAction* action);

}  // namespace vantage::ui
