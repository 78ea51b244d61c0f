// Calibration in the window: points clicked in the cameras' pictures and kept in the project, cameras solved
// from them or from people, the world levelled and scaled. What is solved is proposed, and applied as an edit
// that can be undone.
#pragma once

#include <memory>
#include <optional>

#include "core/calibration/solve/points_solve.h"
#include "core/check/check.h"
#include "ui/main_window/calibrate/calibrate_proposals.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/views/picture_tool.h"

namespace vantage::ui {

class BoxControl;

// A click that is being set or moved, or that the session has not answered yet.
struct PendingClick {
  std::string point, camera;
  Eigen::Vector2d at_px;
};

class CalibrateControl final : public Control, public PictureTool {
  Q_OBJECT
 public:
  explicit CalibrateControl(const WindowParts& parts);
  ~CalibrateControl() override;

  void forget() override;
  void refresh(Changes what) override;
  std::optional<RunningWork> running() const override;
  bool stoppable() const override { return clicking() || running(); }
  void stop() override;
  void end_tool() override { click_points_->setChecked(false); }

  bool clicking() const { return click_points_->isChecked(); }
  const std::optional<CalibrationProposal>& proposal() const { return proposal_; }
  // Adds a paragraph to the proposal that is shown.
  void add_to_proposal(const QString& paragraph);
  CalibratePanel* panel() const { return panel_; }
  const KnownPoses& known_poses() const { return known_poses_; }

  // Off the GUI thread; what it finds is shown as the proposal. `work` tells how far it is, and looks at the
  // stop.
  using FramesDone = std::function<void(int64_t done, int64_t total)>;
  using LongProposing =
      std::function<Result<CalibrationProposal>(const Project&, const FramesDone&, const StopSource&)>;
  void propose_at_length(const RunningWork& what, LongProposing work);
  bool solving() const { return solve_job_.running(); }
  // Points are drawn through these cameras, one each of the project's; none: as they are calibrated.
  void show_through(std::vector<ProjectCamera> cameras);

  // PictureTool: by the cameras' view.
  bool press(const PicturePosition& place) override;
  void drag(const PicturePosition& place) override;
  void release() override;
  void abandon() override;
  bool double_click() override { return press_taken_; }

 signals:
  void proposed(const vantage::ui::CalibrationProposal& proposal);
  void proposal_dropped();  // applied, dismissed, or out of date
  // The cameras solved by a board are to be solved again without these pictures.
  void pictures_left_out(const vantage::ui::LeftOut& pictures);

 private:
  CalibrateCommands add_commands();
  Need unsolved() const;
  Need ticked() const;
  Need chosen_points(size_t min_count, const QString& otherwise) const;
  bool calibrated() const;    // a camera at least
  bool ticked_later() const;  // a camera with another pose from a later frame on
  void apply();
  void set_clicking(bool on);
  std::string point_at(const PicturePosition& place) const;
  std::vector<ClickedPoint> points_now() const;
  void rename(const QString& before, const QString& after);
  void set_known(const QString& point, const std::optional<Eigen::Vector3d>& known_m);
  void delete_points();
  void take_answered();
  void measure();
  void show_project();
  void show_clicks();
  using Proposing = std::function<Result<CalibrationProposal>(const Project&)>;
  void propose(Proposing work);
  void propose_people();
  void propose_bumps();
  void drop_later();
  void on_proposed(const Result<CalibrationProposal>& proposal);
  void drop_proposal();
  void move_box();
  bool eventFilter(QObject* watched, QEvent* event) override;

  QAction* click_points_;
  CalibratePanel* panel_;
  BoxControl* boxes_;
  std::shared_ptr<const PointsSolution> measured_;  // by the project's own cameras; null: nothing to measure
  QString problem_;                                 // why it could not
  CheckReport checked_;
  std::optional<PendingClick> dragged_;
  std::vector<PendingClick> pending_;
  std::string current_;  // the point that gets the next click; empty: a new one
  std::optional<CalibrationProposal> proposal_;
  KnownPoses known_poses_;
  std::vector<ProjectCamera> through_;    // shown by the views in place of the project's
  std::string renamed_;                   // a point's new name, to be chosen once the project has it
  std::optional<RunningWork> long_task_;  // the solution that is running
  bool press_taken_ = false;
  BackgroundJob measure_job_, solve_job_;
};

}  // namespace vantage::ui
