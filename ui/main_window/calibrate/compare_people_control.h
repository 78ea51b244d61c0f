// The people of the marked range under the proposed calibration, compared with those under the present one: a
// paragraph of the proposal's card, before anything is applied.
#pragma once

#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class ComparePeopleControl final : public Control {
  Q_OBJECT
 public:
  explicit ComparePeopleControl(const WindowParts& parts);

  void forget() override;
  std::optional<RunningWork> running() const override;
  void stop() override;

 private:
  QString why_not() const;
  void compare();

  RunningWork work_;  // while the job is running
  BackgroundJob job_;
};

}  // namespace vantage::ui
