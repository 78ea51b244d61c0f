// Offsets of the cameras: finds them off the GUI thread, shows them in the panel and over the pictures, and
// brings what is accepted into the project as edits that can be undone.
#pragma once

#include <memory>

#include "ui/main_window/control.h"
#include "ui/main_window/offset_proposals.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class SyncPanel;

class SyncControl final : public Control {
  Q_OBJECT
 public:
  explicit SyncControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  std::optional<RunningWork> running() const override;
  void stop() override { job_.stop(); }
  std::optional<Dock> dock() const override;

 private:
  struct Actions {
    QAction *synchronisation, *find_offsets, *apply_offset, *dismiss_offset;
  };
  Actions make_actions();

  struct Found {
    Result<Alignment> alignment;
    Result<std::vector<SilhouetteShare>> before, after;
  };
  Found work(const Project& project, double frame_rate, const StopSource& stop) const;
  bool available() const { return parts().services.align != nullptr; }
  void find();
  void show_states();
  void show_instant();
  void on_found(const Found& found);
  void propose(const Alignment& alignment);
  void apply(const std::vector<int>& cameras);
  void accept(Alignment alignment);
  void apply_marks();
  void nudge(int camera, double frames);
  void show_lines();

  const Actions actions_;
  ProposalCard* card_;
  SyncPanel* panel_;
  OffsetProposals* proposals_;
  std::shared_ptr<const Alignment> found_;
  QString told_;             // the message about it
  BackgroundJob marks_job_;  // reads the cameras' frame rates
  BackgroundJob job_;
};

}  // namespace vantage::ui
