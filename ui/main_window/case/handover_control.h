// Writes the hand-over page of a shift, while the window does other work.
#pragma once

#include <QDialog>
#include <QPointer>
#include <filesystem>
#include <optional>

#include "core/export/case/handover.h"
#include "core/project/recording_clock.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace vantage::ui {

// Asks which shift the hand-over page is of, who hands over, and where the page is written.

class HandoverDialog final : public QDialog {
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
  QString problem() const;  // what hinders it, for people

 signals:
  void chosen(const vantage::ui::HandoverDialog::Choice& choice);

 private:
  Result<Choice> choice() const;
  void add_file_chooser();
  void update_state();

  const double frame_rate_;
  const std::optional<RecordingClock> clock_;
  QLineEdit *from_, *to_, *who_, *file_;
  QLabel* problem_;
  QDialogButtonBox* buttons_;
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
