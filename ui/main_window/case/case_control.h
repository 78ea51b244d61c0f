// Exports a span of the open project as a case, while the window does other work.
#pragma once

#include <QPointer>
#include <optional>
#include <vector>

#include "core/export/case/case_export.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/widgets/task_dialog.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;

namespace vantage::ui {

// Asks for the contents of a case: span, cameras, blur, what is drawn, by whom and why; then shows how far it
// is.

class CaseDialog final : public TaskDialog {
  Q_OBJECT
 public:
  // `span`: what is offered; `person`: whom the blur is offered to keep, 0: no one.
  CaseDialog(const Project& project, FrameRange span, double frame_rate, int64_t frame_count, int64_t person,
             QWidget* parent = nullptr);

  // The recording's own clock; nothing: it is not known.
  void offer_clock(const std::optional<RecordingClock>& clock);
  void offer_saving(bool unsaved);  // the project is saved before it is exported

 signals:
  // Everything but the backends.
  void chosen(const vantage::CaseOptions& options);

 private:
  QWidget* make_what();
  QWidget* make_whom();
  std::optional<RecordingClock> clock() const;  // typed, else the recording's
  Result<CaseOptions> options() const;
  Result<CaseBlur> blur() const;
  void update_state() override;
  void start() override;

  const Project project_;
  const double frame_rate_;
  const int64_t frame_count_;
  std::optional<RecordingClock> found_clock_;
  QLineEdit *from_, *to_, *clock_, *ids_, *who_, *why_, *out_;
  QListWidget* cameras_;
  QComboBox* blur_;
  QCheckBox *people_, *trails_, *floor_, *grid_, *originals_, *sound_;
  QLabel* span_;
};

class CaseControl final : public Control {
  Q_OBJECT
 public:
  explicit CaseControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  CaseDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  void ask();
  bool may_save() const;
  void show_exported();
  FrameRange offered_span() const;
  void begin(const CaseOptions& options);
  void finish(const Result<ExportedCase>& made);

  QPointer<CaseDialog> dialog_;
  std::optional<CaseOptions> waiting_;  // for the project to be saved
  BackgroundJob job_;                   // the export
};

}  // namespace vantage::ui
