// The residuals of the last calibration that was proposed from a board or from points: kept when it was
// applied or dismissed, until another project is opened or the cameras are other ones.
#pragma once

#include <QPointer>

#include "ui/main_window/control.h"
#include "ui/main_window/residuals/residuals.h"
#include "ui/main_window/residuals/residuals_dialog.h"

namespace vantage::ui {

class ResidualsControl final : public Control {
  Q_OBJECT
 public:
  explicit ResidualsControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  // Null: not open.
  ResidualsDialog* dialog() const { return dialog_; }

 private:
  void show();

  QAction* residuals_action_;
  ResidualsRef residuals_;            // null: nothing was solved
  std::vector<std::string> cameras_;  // of the project, when it was
  QPointer<ResidualsDialog> dialog_;
};

}  // namespace vantage::ui
