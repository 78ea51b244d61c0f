// Writes the hand-over page of a shift, while the window does other work.
#pragma once

#include <QPointer>
#include <filesystem>
#include <optional>

#include "core/export/case/handover.h"
#include "core/project/recording_clock.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/widgets/task_dialog.h"

class QLineEdit;

namespace vantage::ui {

// Asks for the shift of the hand-over page, who hands over, and where the page is written.

class HandoverDialog final : public TaskDialog {
  Q_OBJECT
 public:
  struct Choice {
    FrameRange span;
    std::string who;
    std::filesystem::path file;
  };
  // `span`: what is offered.
  HandoverDialog(const Project& project, FrameRange span, double frame_rate,
                 const std::optional<RecordingClock>& clock, QWidget* parent = nullptr);

 signals:
  void chosen(const vantage::ui::HandoverDialog::Choice& choice);

 private:
  Result<Choice> choice() const;
  void update_state() override;
  void start() override;

  const double frame_rate_;
  const std::optional<RecordingClock> clock_;
  QLineEdit *from_, *to_, *who_, *file_;
};

class HandoverControl final : public Control {
  Q_OBJECT
 public:
  explicit HandoverControl(const WindowParts& parts);

  void forget() override;
  HandoverDialog* dialog() const { return dialog_; }  // null: none was asked for

 private:
  void ask();
  void begin(const HandoverDialog::Choice& choice);

  QPointer<HandoverDialog> dialog_;
  BackgroundJob job_;
};

}  // namespace vantage::ui
