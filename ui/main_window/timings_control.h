// The panel of timings, and what it is told of the project and the session.
#pragma once

#include "ui/main_window/control.h"

namespace vantage::ui {

class TimingsControl final : public Control {
  Q_OBJECT
 public:
  explicit TimingsControl(const WindowParts& parts);

  void refresh(Changes what) override;
  std::optional<Dock> dock() const override;

 private:
  QAction* dock_;
};

}  // namespace vantage::ui
