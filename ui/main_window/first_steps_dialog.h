// Five steps for who sees the window for the first time, each with its keys.
#pragma once

#include <QDialog>

namespace vantage::ui {

class FirstStepsDialog final : public QDialog {
  Q_OBJECT
 public:
  explicit FirstStepsDialog(QWidget* parent);
};

}  // namespace vantage::ui
