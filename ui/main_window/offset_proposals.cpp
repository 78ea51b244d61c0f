#include "ui/main_window/offset_proposals.h"

#include <QAction>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/alignment/align.h"
#include "core/base/frame_rate.h"
#include "ui/panels/proposal_card.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

constexpr int kStill_ms = 250;      // without another frame, before pictures are read
constexpr double kAgreement_s = 3;  // for each of the two comparisons

QString percent(const std::vector<SilhouetteShare>& shares, int camera) {
  return QString::number(100 * shares.at(static_cast<size_t>(camera)).value(), 'f', 0);
}

}  // namespace

OffsetProposals::OffsetProposals(const WindowActions& actions, Parts parts, AgreementFunction agreement,
                                 QObject* parent)
    : QObject(parent),
      parts_(parts),
      agreement_(std::move(agreement)),
      apply_(actions.apply_offset),
      dismiss_(actions.dismiss_offset) {
  still_.setSingleShot(true);
  still_.setInterval(kStill_ms);
  connect(&still_, &QTimer::timeout, this, [this] {
    if (proposals_.empty() || proposals_[static_cast<size_t>(shown_)].live()) return;
    proposals_[static_cast<size_t>(shown_)].moment = -1;
    read_pictures();
  });
  connect(apply_, &QAction::triggered, this, &OffsetProposals::apply);
  connect(dismiss_, &QAction::triggered, this, &OffsetProposals::dismiss);
  connect(parts_.card, &ProposalCard::chosen, this, [this](int proposal) {
    shown_ = proposal;
    show();
  });
}

// What was proposed about a camera whose times have changed, by whatever, is proposed no longer.
void OffsetProposals::set_project(const Project& project) {
  const auto past = [&](const Proposal& proposal) {
    const auto camera = static_cast<size_t>(proposal.camera);
    if (camera >= project.cameras.size() || camera >= project_.cameras.size()) return true;
    const ProjectCamera &now = project.cameras[camera], &before = project_.cameras[camera];
    return now.offset_frames != before.offset_frames || now.frame_rate != before.frame_rate ||
           now.offset_changes != before.offset_changes || now.live_delay_s != before.live_delay_s;
  };
  const bool some_past = std::erase_if(proposals_, past) > 0;
  project_ = project;
  if (some_past) show();
}

void OffsetProposals::show_frame(int64_t base_frame) {
  frame_ = base_frame;
  if (!proposals_.empty() && parts_.card->isVisible()) still_.start();
}

void OffsetProposals::forget() {
  still_.stop();
  pictures_job_.stop();
  agreement_job_.stop();
  project_ = {};
  proposals_.clear();
  show();
}

// ---- what is proposed

OffsetProposals::Proposal OffsetProposals::from_watch(const OffsetProposal& watched) const {
  const ProjectCamera& camera = project_.cameras[static_cast<size_t>(watched.camera)];
  const std::string& base = project_.cameras.front().name;
  const double rate = effective_frame_rate(camera.frame_rate, frame_rate_);
  Proposal proposal;
  proposal.camera = watched.camera;
  proposal.watched = watched;
  proposal.proposed = camera;
  proposal.moment = watched.base_frame;
  const QString name = QString::fromStdString(camera.name);
  const QString sure = tr("confidence %1").arg(watched.confidence, 0, 'f', 2);
  if (watched.delay_s) {
    proposal.proposed.live_delay_s += *watched.delay_s;
    proposal.words = (*watched.delay_s > 0 ? tr("%1 appears to be %2 s behind %3; %4.")
                                           : tr("%1 appears to be %2 s ahead of %3; %4."))
                         .arg(name)
                         .arg(std::abs(*watched.delay_s), 0, 'f', 2)
                         .arg(QString::fromStdString(base), sure);
    return proposal;
  }
  if (watched.since == 0) {
    proposal.proposed.offset_frames += watched.frames;
    proposal.words =
        tr("%1 appears to have %2; %3.")
            .arg(name, QString::fromStdString(describe_offset(proposal.proposed.offset_frames, rate, base)),
                 sure);
    return proposal;
  }
  proposal.proposed.offset_changes.push_back({watched.since, static_cast<double>(watched.frames)});
  const int frames = std::abs(watched.frames);
  proposal.words = (watched.frames < 0 ? tr("%1 appears to have lost %2 frames (%3 s) at frame %4; %5.")
                                       : tr("%1 appears to be %2 frames (%3 s) behind since frame %4; %5."))
                       .arg(name)
                       .arg(frames)
                       .arg(frames / rate, 0, 'f', 2)
                       .arg(watched.since)
                       .arg(sure);
  return proposal;
}

void OffsetProposals::take_watched(const OffsetProposal& watched, bool applied) {
  if (watched.camera <= 0 || static_cast<size_t>(watched.camera) >= project_.cameras.size()) return;
  if (!applied) {
    Proposal proposal = from_watch(watched);
    post(proposal);
    return take(std::move(proposal));
  }
  remove(watched.camera);
  parts_.messages->post(
      {Severity::note,
       tr("%1 is back in step.")
           .arg(QString::fromStdString(project_.cameras[static_cast<size_t>(watched.camera)].name)),
       tr("Undo"), [this] { parts_.session->post(command::Undo{}); }});
}

void OffsetProposals::take_found(int camera, const ProjectCamera& proposed, const QString& words) {
  Proposal proposal;
  proposal.camera = camera;
  proposal.proposed = proposed;
  proposal.words = words;
  take(std::move(proposal));
}

void OffsetProposals::take(Proposal proposal) {
  const auto same = std::find_if(proposals_.begin(), proposals_.end(),
                                 [&](const Proposal& other) { return other.camera == proposal.camera; });
  shown_ = static_cast<int>(same - proposals_.begin());
  if (same == proposals_.end())
    proposals_.push_back(std::move(proposal));
  else
    *same = std::move(proposal);
  show();
}

void OffsetProposals::post(const Proposal& proposal) {
  Message message{Severity::doubtful, proposal.words, tr("Show"), [this] { emit dock_wanted(); }};
  message.second_button = tr("Apply");
  message.second_action = [this, watched = *proposal.watched] {
    parts_.session->post(command::ApplyOffset{watched});
  };
  parts_.messages->post(std::move(message));
}

// ---- what becomes of it

void OffsetProposals::apply() {
  if (proposals_.empty()) return;
  const Proposal& proposal = proposals_[static_cast<size_t>(shown_)];
  if (proposal.watched)
    parts_.session->post(command::ApplyOffset{*proposal.watched});
  else
    emit found_accepted(proposal.camera);
}

void OffsetProposals::dismiss() {
  if (!proposals_.empty()) remove(proposals_[static_cast<size_t>(shown_)].camera);
}

void OffsetProposals::remove(int camera) {
  std::erase_if(proposals_, [&](const Proposal& proposal) { return proposal.camera == camera; });
  show();
}

std::vector<CameraState> OffsetProposals::states() const {
  std::vector<CameraState> states(project_.cameras.size());
  for (const Proposal& proposal : proposals_)
    states[static_cast<size_t>(proposal.camera)] = {CameraStanding::doubtful, tr("offset?"), proposal.words};
  return states;
}

void OffsetProposals::show() {
  shown_ = std::clamp(shown_, 0, std::max(static_cast<int>(proposals_.size()) - 1, 0));
  QStringList cameras;
  for (const Proposal& proposal : proposals_) cameras << QString::fromStdString(proposal.proposed.name);
  parts_.card->set_proposals(cameras, shown_);
  emit changed();
  if (proposals_.empty()) return;
  const Proposal& proposal = proposals_[static_cast<size_t>(shown_)];
  parts_.card->show_text(proposal.words, proposal.agreement);
  parts_.card->show_pictures(nullptr);
  if (proposal.live()) return;  // what live cameras showed is gone
  read_pictures();
  compare_silhouettes();
}

// ---- before and after, off the GUI thread

void OffsetProposals::read_pictures() {
  if (proposals_.empty()) return;
  const Proposal& proposal = proposals_[static_cast<size_t>(shown_)];
  pictures_job_.start([this, project = project_, camera = proposal.camera, proposed = proposal.proposed,
                       moment = proposal.moment < 0 ? frame_ : proposal.moment](
                          const StopSource& stop) -> BackgroundJob::Deliver {
    Result<InstantPictures> read = read_instant(project, camera, proposed, moment, stop);
    std::shared_ptr<const InstantPictures> pictures;
    if (read) pictures = std::make_shared<const InstantPictures>(std::move(*read));
    return [this, pictures] { parts_.card->show_pictures(pictures); };
  });
}

void OffsetProposals::compare_silhouettes() {
  const Proposal& proposal = proposals_[static_cast<size_t>(shown_)];
  if (!agreement_ || !proposal.watched || !proposal.agreement.isEmpty()) return;
  Project changed = project_;
  changed.cameras[static_cast<size_t>(proposal.camera)] = proposal.proposed;
  OffsetAgreementOptions how;
  how.time_limit_s = kAgreement_s;
  how.first_frame = proposal.watched->since;
  how.last_frame = proposal.watched->base_frame;
  agreement_job_.start([this, project = project_, changed = std::move(changed), how,
                        camera = proposal.camera](const StopSource& stop) -> BackgroundJob::Deliver {
    OffsetAgreementOptions options = how;
    options.stop = stop;
    const auto before = agreement_(project, options), after = agreement_(changed, options);
    QString words = tr("The silhouettes cannot be compared.");
    if (before && after)
      words = tr("The cameras together explain %1 % of its silhouettes now, %2 % as proposed.")
                  .arg(percent(*before, camera), percent(*after, camera));
    return [this, camera, words] {
      for (size_t i = 0; i < proposals_.size(); ++i) {
        if (proposals_[i].camera != camera) continue;
        proposals_[i].agreement = words;
        if (static_cast<int>(i) == shown_) parts_.card->show_text(proposals_[i].words, words);
      }
    };
  });
}

}  // namespace vantage::ui
