// The page of the ground truth's dock that says how good the results are by it, and goes to the worst frames.
// Measured off the GUI thread, again whenever results or ground truth change, while it is shown.
#pragma once

#include <vector>

#include "ui/main_window/control.h"
#include "ui/main_window/truth/quality_panel.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class TruthControl;

class QualityControl final : public Control {
  Q_OBJECT
 public:
  explicit QualityControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  QualityPanel* panel() const { return panel_; }
  // As CSV.
  void export_to(const QString& path);

 private:
  void show_page();
  void measure();
  void say(const QString& words);  // instead of a table
  void take(const MeasuredParts& parts);
  void take(const std::vector<WorstMoment>& moments);
  void go_to(int row);
  void go_to_next_moment();

  QAction *show_, *next_, *copy_, *export_;
  QualityPanel* panel_;
  TruthControl* truth_;
  MeasuredParts parts_;
  std::vector<WorstMoment> moments_;
  bool go_on_ = false;  // to the first of the worst frames, once they are known
  BackgroundJob job_;
};

}  // namespace vantage::ui
