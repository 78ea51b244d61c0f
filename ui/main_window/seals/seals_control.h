// Seals the project's recordings and compares them with their seals, while the window does other work, and
// shows the custody log.
#pragma once

#include <QPointer>

#include "ui/main_window/control.h"
#include "ui/main_window/seals/seals_dialog.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class SealsControl final : public Control {
  Q_OBJECT
 public:
  explicit SealsControl(const WindowParts& parts);

  void forget() override;
  SealsDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  void ask();
  void read();
  void seal();
  void verify();
  // Shows it in the window's thread, unless the job was stopped.
  void tell(const StopSource& stop, const QString& doing);
  void finish(const Status& done);

  QPointer<SealsDialog> dialog_;
  BackgroundJob job_;
};

}  // namespace vantage::ui
