// Exports a span of the open project as a case, while the window does other work.
#pragma once

#include <QPointer>

#include "ui/main_window/case/case_dialog.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class CaseControl final : public Control {
  Q_OBJECT
 public:
  explicit CaseControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  CaseDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  void ask();
  void show_exported();
  FrameRange offered_span() const;
  void begin(const CaseOptions& options);
  void finish(const Result<ExportedCase>& made);

  QAction* export_case_;
  QPointer<CaseDialog> dialog_;
  BackgroundJob job_;  // the export
};

}  // namespace vantage::ui
