// Writes the hand-over page of a shift, while the window does other work.
#pragma once

#include <QPointer>

#include "ui/main_window/case/handover_dialog.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class HandoverControl final : public Control {
  Q_OBJECT
 public:
  explicit HandoverControl(const WindowParts& parts);

  void forget() override;
  void update_availability() override;
  HandoverDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  void ask();
  void begin(const HandoverDialog::Choice& choice);

  QAction* handover_;
  QPointer<HandoverDialog> dialog_;
  BackgroundJob job_;
};

}  // namespace vantage::ui
