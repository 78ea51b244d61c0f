// Ground truth drawn in the window: one click on the floor sets a person in all views, and what lies between
// two frames that were set is the straight way. It is part of the project, with undo; the results on disk are
// measured by it as one draws.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/metrics/drawn_truth.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/views/picture_tool.h"

class QTabWidget;

namespace vantage::ui {

class TruthPanel;

class TruthControl final : public Control, public FloorTool {
  Q_OBJECT
 public:
  explicit TruthControl(const WindowParts& parts);
  ~TruthControl() override;

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  void restore(const QSettings& settings) override;  // how far a click goes on
  void save(QSettings& settings) const override;
  bool stoppable() const override { return drawing(); }
  void stop() override { end(); }
  void end_tool() override { end(); }

  bool drawing() const { return draw_->isChecked(); }
  TruthPanel* panel() const { return panel_; }
  // A page next to the people.
  void add_page(QWidget* page, const QString& title);
  void show_page(QWidget* page);
  // Frames without results are left out of what is measured.
  bool analysed_only() const { return analysed_only_; }
  void set_analysed_only(bool only);

  // Imports another ground truth: who is missing here is added, and where they disagree is reported.
  void import_from(const QString& path);
  // Format by the name: .json is COCO's, .csv MOTChallenge's, a folder WILDTRACK's.
  void export_to(const QString& path);

  // FloorTool: by the views.
  bool press(const FloorPosition& place) override;
  void drag(const FloorPosition& place) override;
  void release() override;
  void abandon() override;
  bool double_click() override { return drawing(); }

 private:
  void start();
  void end();
  int64_t frame() const;
  const TruePerson* chosen() const;
  std::optional<TruePosition> chosen_now() const;  // nothing: no one is chosen, or is not there
  void edit(const QString& what, const std::function<void(std::vector<TruePerson>&)>& change);
  void set_position(int64_t id, const Eigen::Vector2d& at_m);
  void set_leaves(bool on);
  void show();
  void take(const MergedTruth& merged);
  void measure();

  QAction *draw_, *leaves_;
  TruthPanel* panel_;
  QTabWidget* pages_;
  // A press on a person, moved or not.
  struct Drag {
    int64_t id;
    Eigen::Vector2d from_m;
    double reach_m;
    std::optional<Eigen::Vector2d> to_m;  // once it is farther than `reach_m` from there
  };
  std::optional<Drag> drag_;
  int64_t new_id_ = 0;  // set just now, and chosen when the project has it
  bool analysed_only_ = false;
  BackgroundJob job_, reading_;
};

}  // namespace vantage::ui
