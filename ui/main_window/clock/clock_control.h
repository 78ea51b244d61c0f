// The time of day of the open recording: finds it, lets one say it, and goes to an instant that is typed.
#pragma once

#include <QPointer>

#include "ui/main_window/clock/moment_dialog.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class ClockControl final : public Control {
  Q_OBJECT
 public:
  explicit ClockControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
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

  QAction *go_to_, *time_of_day_;
  QPointer<MomentDialog> dialog_;
  BackgroundJob finding_;
};

}  // namespace vantage::ui
