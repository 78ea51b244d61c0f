// Offsets of the cameras: finds them off the GUI thread, shows them in the panel and over the pictures, and
// brings what is accepted into the project as edits that can be undone.
#pragma once

#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/platform/instant_pictures.h"
#include "ui/widgets/live_badge.h"

namespace vantage::ui {

// Proposed changes of the cameras' offsets, by the watch along an analysis or by the search over the
// recording: shown in the Synchronisation dock with pictures and with how far the silhouettes agree, applied
// or dismissed.

class ProposalCard;

class OffsetProposals final : public Control {
  Q_OBJECT
 public:
  explicit OffsetProposals(const WindowParts& parts);
  ProposalCard* card() const { return card_; }

  bool empty() const { return proposals_.empty(); }
  std::vector<CameraState> states() const;  // by camera: whose offset is doubtful
  void forget() override;
  void refresh(Changes what) override;
  // Takes a proposal of the session's watch; `applied`: the camera is in step from now on.
  void take_watched(const OffsetProposal& proposal, bool applied);
  // Takes a proposal of the search, which replaces the former one about its camera.
  void take_found(int camera, const ProjectCamera& proposed, const QString& text);

 signals:
  void changed();  // whether there is something to apply
  void found_accepted(int camera);

 private:
  struct Proposal {
    int camera = 0;
    ProjectCamera of;                       // as it was when this was proposed
    std::optional<OffsetProposal> watched;  // nothing: of the search
    ProjectCamera proposed;
    QString text, agreement;
    bool live() const { return watched && watched->delay_s; }
    int64_t moment = -1;  // the base's frame to be shown; -1: the one in the views
  };
  Proposal from_watch(const OffsetProposal& proposal) const;
  void take(Proposal proposal);
  void drop_past();
  void tell(const Proposal& proposal);
  void apply();
  void dismiss();
  void remove(int camera);
  void show();
  void compare_silhouettes();
  void read_pictures();

  ProposalCard* card_;
  std::vector<Proposal> proposals_;  // one a camera
  int shown_ = 0;
  int64_t frame_ = 0;  // in the views
  QTimer still_;       // the views rest
  BackgroundJob pictures_job_, agreement_job_;
};

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

 private:
  struct Found {
    Result<Alignment> alignment;
    Result<std::vector<SilhouetteShare>> before, after;
  };
  Found work(const Project& project, double frame_rate, const StopSource& stop) const;
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

  SyncPanel* panel_;
  OffsetProposals* proposals_;
  std::shared_ptr<const Alignment> found_;
  QString report_;           // the message about it
  BackgroundJob marks_job_;  // reads the cameras' frame rates
  BackgroundJob job_;
};

}  // namespace vantage::ui
