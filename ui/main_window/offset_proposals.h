// What is proposed about the cameras' offsets, by the watch along an analysis or by the search over the
// recording: shown in the Synchronisation dock with pictures and with how far the silhouettes agree, applied
// or dismissed.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/check/offset_agreement.h"
#include "core/session/session.h"
#include "ui/main_window/window_actions.h"
#include "ui/platform/background_job.h"
#include "ui/platform/instant_pictures.h"
#include "ui/widgets/camera_state.h"

namespace vantage::ui {

class MessageBar;
class ProposalCard;

// Gets everything but the backends.
using AgreementFunction =
    std::function<Result<std::vector<SilhouetteShare>>(const Project&, OffsetAgreementOptions)>;

class OffsetProposals final : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    ProposalCard* card;
    MessageBar* messages;
    Session* session;
  };
  OffsetProposals(const WindowActions& actions, Parts parts, AgreementFunction agreement, QObject* parent);

  bool empty() const { return proposals_.empty(); }
  std::vector<CameraState> states() const;  // by camera: whose offset is doubtful
  void set_project(const Project& project);
  void set_frame_rate(double frames_per_s) { frame_rate_ = frames_per_s; }
  void show_frame(int64_t base_frame);
  void forget();
  // Of the session's watch; `applied`: the camera is in step from now on.
  void take_watched(const OffsetProposal& proposal, bool applied);
  // Of the search: each takes the place of what was proposed about its camera before.
  void take_found(int camera, const ProjectCamera& proposed, const QString& words);

 signals:
  void changed();      // whether there is something to apply
  void dock_wanted();  // to see it
  void found_accepted(int camera);

 private:
  struct Proposal {
    int camera = 0;
    std::optional<OffsetProposal> watched;  // nothing: of the search
    ProjectCamera proposed;
    QString words, agreement;
    bool live() const { return watched && watched->delay_s; }
    int64_t moment = -1;  // the base's frame to be shown; -1: the one in the views
  };
  Proposal from_watch(const OffsetProposal& proposal) const;
  void take(Proposal proposal);
  void post(const Proposal& proposal);
  void apply();
  void dismiss();
  void remove(int camera);
  void show();
  void compare_silhouettes();
  void read_pictures();

  Parts parts_;
  AgreementFunction agreement_;
  QAction *apply_, *dismiss_;
  Project project_;
  double frame_rate_ = 25;
  std::vector<Proposal> proposals_;  // one a camera
  int shown_ = 0;
  int64_t frame_ = 0;  // in the views
  QTimer still_;       // the views rest
  BackgroundJob pictures_job_, agreement_job_;
};

}  // namespace vantage::ui
