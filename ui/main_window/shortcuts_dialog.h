// Every key of the window in one list, made from the actions.
#pragma once

#include <QDialog>

#include "ui/main_window/window_actions.h"

namespace vantage::ui {

class ShortcutsDialog final : public QDialog {
  Q_OBJECT
 public:
  ShortcutsDialog(const WindowActions& actions, QWidget* parent);
};

}  // namespace vantage::ui
