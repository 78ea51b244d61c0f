// The time of day of the open recording: finds it, lets one say it, and goes to an instant that is typed.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QPointer>
#include <functional>

#include "core/base/result.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

class QLineEdit;
class QPushButton;

namespace vantage::ui {

// Asks for an instant, or for a note about one, in one line, and says what it means while it is typed.

struct MomentQuestion {
  QString title, label, hint, text;  // `hint` says what can be typed, `text` stands there
  QString button;
  QString removal;  // a second button, which takes what there is away; empty: none
  // What the text means; an error says why it means nothing.
  std::function<Result<QString>(const QString& typed)> answer;
  bool may_be_empty = false;
  QString removal_tip = {};
};

class MomentDialog final : public QDialog {
  Q_OBJECT
 public:
  MomentDialog(const MomentQuestion& question, QWidget* parent);

  QString typed() const;
  QString answer() const { return answer_->text(); }
  void show_note(const QString& note);  // above what is typed

 signals:
  void removed();

 private:
  void update_answer();

  const MomentQuestion question_;
  QLabel* note_;
  QLineEdit* field_;
  QLabel* answer_;
  QPushButton* accept_;
};

class ClockControl final : public Control {
  Q_OBJECT
 public:
  explicit ClockControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  MomentDialog* dialog() const { return dialog_; }  // null: none is open

 signals:
  // Nothing: it is not known.
  void clock_found(const std::optional<vantage::RecordingClock>& clock);

 private:
  void find();
  void take_live_clock();
  void ask_where();
  void ask_time();
  MomentDialog* open(const MomentQuestion& question);
  void keep(const std::optional<RecordingClock>& clock);
  Result<QString> frame_text(const QString& typed) const;
  Result<RecordingClock> typed_clock(const QString& typed, int64_t frame) const;

  QPointer<MomentDialog> dialog_;
  BackgroundJob finding_;
};

}  // namespace vantage::ui
