// Every key of the window in one list, made from the actions.
#pragma once

#include <QDialog>
#include <vector>

class QAction;

namespace vantage::ui {

class ShortcutsDialog final : public QDialog {
  Q_OBJECT
 public:
  ShortcutsDialog(const std::vector<const QAction*>& actions, QWidget* parent);
};

}  // namespace vantage::ui
