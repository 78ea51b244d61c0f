// Proposed changes of the cameras' offsets, by the watch along an analysis or by the search over the
// recording: shown in the Synchronisation dock with pictures and with how far the silhouettes agree, applied
// or dismissed.
#pragma once

#include <QTimer>
#include <optional>
#include <vector>

#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/platform/instant_pictures.h"
#include "ui/widgets/camera_state.h"

namespace vantage::ui {

class ProposalCard;

class OffsetProposals final : public Control {
  Q_OBJECT
 public:
  OffsetProposals(const WindowParts& parts, ProposalCard* card, QAction* apply, QAction* dismiss);

  bool empty() const { return proposals_.empty(); }
  std::vector<CameraState> states() const;  // by camera: whose offset is doubtful
  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
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
  QAction *apply_, *dismiss_;
  std::vector<Proposal> proposals_;  // one a camera
  int shown_ = 0;
  int64_t frame_ = 0;  // in the views
  QTimer still_;       // the views rest
  BackgroundJob pictures_job_, agreement_job_;
};

}  // namespace vantage::ui
