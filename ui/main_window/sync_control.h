// Offsets of the cameras: finds them off the GUI thread, shows them in the panel and over the pictures, and
// brings what is accepted into the project as edits that can be undone.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "core/alignment/align.h"
#include "core/session/session.h"
#include "ui/main_window/offset_proposals.h"
#include "ui/main_window/window_actions.h"
#include "ui/platform/background_job.h"
#include "ui/views/marks.h"

namespace vantage::ui {

class MessageBar;
class SyncPanel;

// Gets everything but the backends.
using AlignFunction = std::function<Result<Alignment>(const Project&, AlignOptions)>;

class SyncControl final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    SyncPanel* panel;
    ProposalCard* card;
    MessageBar* messages;
    Session* session;
  };
  SyncControl(const WindowActions& actions, Parts parts, AlignFunction align, AgreementFunction agreement,
              QObject* parent);

  bool available() const { return align_ != nullptr; }
  bool running() const { return job_.running(); }
  void set_project(const Project& project);
  void set_frame_rate(double frames_per_s);
  void show_result(const FrameResult& result);
  void forget();
  void find();
  void take_watched(const OffsetProposal& proposal, bool applied);  // of the session
  bool proposes() const { return !proposals_->empty(); }
  std::vector<CameraState> states() const { return proposals_->states(); }  // by camera
  void stop() { job_.stop(); }

 signals:
  void running_changed();
  void proposals_changed();
  void dock_wanted();  // there is something to look at
  void lines_changed(const std::vector<MarkedEpipolarLines>& lines);

 private:
  struct Found {
    Result<Alignment> alignment;
    Result<std::vector<SilhouetteShare>> before, after;
  };
  Found work(const Project& project, const StopSource& stop) const;
  void on_found(const Found& found);
  void propose(const Alignment& alignment);
  void apply(const std::vector<int>& cameras);
  void accept(Alignment alignment);
  void apply_marks();
  void nudge(int camera, double frames);
  void show_lines();

  Parts parts_;
  AlignFunction align_;
  AgreementFunction agreement_;
  OffsetProposals* proposals_;
  Project project_;
  double frame_rate_ = 25;
  std::shared_ptr<const Alignment> found_;
  QString told_;             // the message about it
  BackgroundJob marks_job_;  // reads the cameras' frame rates
  BackgroundJob job_;        // goes first: its work uses the functions
};

}  // namespace vantage::ui
