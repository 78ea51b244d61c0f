// The kept results of two runs, A and B, compared in every view, and the way from one difference to the next.
// Results are read off the GUI thread, again whenever they were written again.
#pragma once

#include <QTimer>

#include "ui/main_window/compare/compare_panel.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"

class QActionGroup;

namespace vantage::ui {

struct ShownVariant;

class CompareControl final : public Control {
  Q_OBJECT
 public:
  explicit CompareControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void restore(const QSettings& settings) override;
  void save(QSettings& settings) const override;

  // Shown in the views; null: nothing is compared.
  const std::shared_ptr<const MarkedComparison>& shown() const { return shown_; }

  // In place of two runs; nothing: they again. `place_m`: marked in that frame.
  void show_value(std::optional<ComparedValue> value, std::optional<int64_t> place_frame = {},
                  const Eigen::Vector2d& place_m = Eigen::Vector2d::Zero());

 signals:
  // Two runs were asked for instead.
  void value_left();

 private:
  std::optional<CompareStyle> style() const;  // nothing: the views show no comparison
  void take_variants(const std::vector<ShownVariant>& variants);
  void list_runs();
  bool comparable() const;
  Need comparable_need() const;
  void change_style();
  void change_runs();
  void swap();
  void compare();
  void measure();  // both by the ground truth
  void take(const Result<ComparedRunsRef>& compared);
  void drop();
  void draw();
  void draw_value();
  void leave_value();
  // A and B, or the one of them that does not know the people of the frame; empty: both do.
  static QString missing_text(const MarkedComparison& marked, int64_t frame);
  QString masks_text() const;  // why none are drawn in this frame; empty: some are, or none are kept at all
  void read_masks(int64_t frame);
  void move_wipe(double share);
  void go_on(int by);
  void go_to(size_t difference);
  QString frame_text(int64_t frame) const;
  QString summary() const;

  QActionGroup* styles_;  // in the order of CompareStyle; none or one is checked
  ComparePanel* panel_;
  QTimer blink_;
  int turn_ = 0;
  double wipe_ = 0.5;
  std::vector<RunName> variants_;      // with results
  std::array<RunName, 2> kept_names_;  // from the settings, until a project has them
  ComparedRunsRef compared_;           // null: nothing was compared
  RunStamps stamps_ = {};              // of its results
  std::optional<ResultsDifference> gone_to_;
  std::optional<ComparedValue> value_;
  std::optional<int64_t> value_frame_;  // where the place is marked
  Eigen::Vector2d value_place_m_ = Eigen::Vector2d::Zero();
  bool arrived_ = false;     // its frame was shown
  bool next_waits_ = false;  // to go to the first difference once there are some
  std::vector<ComparedMasks> masks_;
  std::optional<int64_t> masks_of_;  // the frame
  std::shared_ptr<const MarkedComparison> shown_;
  BackgroundJob compare_job_, masks_job_, measure_job_;
};

}  // namespace vantage::ui
