// Points clicked in the cameras' pictures and kept in the project: the first page of the Calibrate dock, what
// the views show of them, and the world levelled, scaled and moved by them.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/calibration/solve/points_solve.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/views/picture_tool.h"

namespace vantage::ui {

class BoxControl;
class PointsPage;
struct CalibrationProposal;

// A click that is being set or moved, or that the session has not answered yet.
struct PendingClick {
  std::string point, camera;
  Eigen::Vector2d at_px;
};

class PointsControl final : public Control, public PictureTool {
  Q_OBJECT
 public:
  explicit PointsControl(const WindowParts& parts);
  ~PointsControl() override;

  void forget() override;
  void refresh(Changes what) override;
  bool stoppable() const override { return clicking(); }
  void stop() override { end_tool(); }
  void end_tool() override { click_points_->setChecked(false); }

  bool clicking() const { return click_points_->isChecked(); }
  PointsPage* page() const { return page_; }

  // PictureTool: by the cameras' view.
  bool press(const PicturePosition& place) override;
  void drag(const PicturePosition& place) override;
  void release() override;
  void abandon() override;
  bool double_click() override { return press_taken_; }

 private:
  std::vector<QAction*> add_point_actions();
  std::vector<QAction*> add_world_actions();
  Need unsolved() const;
  Need chosen_points(size_t min_count, const QString& otherwise) const;
  bool calibrated() const;  // a camera at least
  using Proposing = std::function<Result<CalibrationProposal>(const Project&)>;
  void propose(Proposing work);
  void move_box();
  void set_clicking(bool on);
  void set_current(const std::string& point);
  std::string point_at(const PicturePosition& place) const;
  std::vector<ClickedPoint> points_now() const;
  void rename(const QString& before, const QString& after);
  void set_known(const QString& point, const std::optional<Eigen::Vector3d>& known_m);
  void delete_points();
  void take_answered();
  void measure();
  void show();
  void show_clicks();
  bool eventFilter(QObject* watched, QEvent* event) override;

  QAction* click_points_ = nullptr;
  BoxControl* boxes_;
  PointsPage* page_;
  std::shared_ptr<const PointsSolution> measured_;  // by the project's own cameras; null: nothing to measure
  QString problem_;                                 // why it could not
  std::optional<PendingClick> dragged_;
  std::vector<PendingClick> pending_;
  std::string current_;  // the point that gets the next click; empty: a new one
  std::string renamed_;  // a point's new name, to be chosen once the project has it
  bool press_taken_ = false;
  BackgroundJob measure_job_, box_job_;
};

}  // namespace vantage::ui
