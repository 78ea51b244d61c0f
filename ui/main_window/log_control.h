// The panel of the log, which fills itself.
#pragma once

#include "ui/main_window/control.h"

namespace vantage::ui {

class LogControl final : public Control {
  Q_OBJECT
 public:
  explicit LogControl(const WindowParts& parts);
  std::optional<Dock> dock() const override;

 private:
  QAction* dock_;
};

}  // namespace vantage::ui
