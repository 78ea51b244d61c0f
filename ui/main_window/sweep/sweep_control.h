// Values of one parameter or two tried and measured in the window, by the ground truth drawn in the project
// where there is some; the chosen point is applied, or kept as a variant. Its worst frames are gone to, and
// who was found there with it is compared with who is found now.
#pragma once

#include <map>
#include <optional>

#include "core/run/sweep_folder.h"
#include "ui/main_window/control.h"
#include "ui/main_window/sweep/sweep_panel.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class CompareControl;
class MaskControl;

class SweepControl final : public Control {
  Q_OBJECT
 public:
  explicit SweepControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  std::optional<RunningWork> running() const override;
  void stop() override;

  SweepPanel* panel() const { return panel_; }
  const std::map<size_t, SweepPoint>& measured() const { return measured_; }

 private:
  QString why_not_sweep() const;
  void offer_truth();
  void sweep();
  void take(size_t value, const SweepPoint& point, int turn);
  void finish(const Status& status);
  // The sweep of the project that was measured last, whenever that was.
  void read_last();
  void show_last(const KeptSweep& kept);
  QString best_text() const;  // empty: there is no best
  void use_value();
  void mark_range(bool tune);
  const SweepPoint* chosen() const;  // null: none
  void choose_point();
  void list_moments();
  void go_to_moment(int row);
  void go_to_next_moment();
  void show_value();

  QAction* show_;
  SweepPanel* panel_;
  CompareControl* compare_;
  MaskControl* masks_;
  AnnotatedFrames offered_;  // by the spans
  SweepRequest request_;     // of what is measured
  std::map<size_t, SweepPoint> measured_;
  std::vector<SweptMoment> moments_;  // of the chosen point
  int turn_ = 0;                      // number of the sweep: points of one that was stopped are dropped
  BackgroundJob job_, reading_;
};

}  // namespace vantage::ui
