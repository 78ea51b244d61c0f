// The calibration that is proposed in the window, and the solution that is running. Whatever solves cameras
// proposes here; the Calibrate dock shows it, and other controls ask here.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ui/main_window/calibrate/calibrate_proposals.h"
#include "ui/main_window/window_state.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

// The work has done so many steps of all (0: not known yet), and never goes back; false: nothing that is to
// be seen has changed.
bool advance(RunningWork* work, int64_t done, int64_t total);

class Proposal final : public QObject {
  Q_OBJECT
 public:
  Proposal(const WindowState& state, QObject* parent);

  using FramesDone = std::function<void(int64_t done, int64_t total)>;
  using Solving =
      std::function<Result<CalibrationProposal>(const Project&, const FramesDone&, const StopSource&)>;
  // Off the GUI thread; what it finds is proposed in place of what was. `work`: of a solution that takes
  // long, which reports its progress and polls the stop.
  void solve(Solving solving, const std::optional<RunningWork>& work = std::nullopt);
  bool solving() const { return job_.running(); }
  // Shows the cameras that the solution started next has found so far; called from its thread.
  using ShowFound = std::function<void(std::vector<Camera> cameras)>;
  ShowFound show_found();
  // Why nothing else is solved meanwhile.
  static QString why_busy() { return tr("A calibration is being solved."); }
  // What keeps other work from starting.
  std::optional<RunningWork> running() const { return solving() ? work_ : std::nullopt; }
  void stop();    // what running() says
  void forget();  // everything about the project

  const std::optional<CalibrationProposal>& proposed() const { return proposal_; }
  // Cameras found so far, then proposed; views of a project without a calibration show them.
  const std::vector<Camera>& found_cameras() const { return found_cameras_; }
  void add(const QString& paragraph);  // where something is proposed
  // What is proposed, to be applied: it is proposed no longer, and its poses are known.
  std::optional<CalibrationProposal> take();
  void drop();
  // Uncertainties of the cameras that were solved and applied, the newest first. A camera counts while it has
  // the pose that was solved (index_of()).
  std::span<const SolvedTogether> known_poses() const { return known_; }

 signals:
  void solving_changed();
  void progressed();  // of what is running
  void cameras_changed();
  void found();
  void not_found(const QString& reason);
  void extended();
  void dropped();  // applied, dismissed, or out of date
  // The cameras solved by a board are to be solved again without these pictures.
  void pictures_left_out(const vantage::ui::LeftOut& pictures);

 private:
  void set_found(std::vector<Camera> cameras);

  const WindowState& state_;
  std::optional<RunningWork> work_;
  std::optional<CalibrationProposal> proposal_;
  std::vector<SolvedTogether> known_;
  BackgroundJob job_;
  std::vector<Camera> found_cameras_;
};

}  // namespace vantage::ui
