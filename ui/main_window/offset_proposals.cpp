#include "ui/main_window/offset_proposals.h"

#include <QAction>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/frame_rate.h"
#include "core/setup/alignment/align.h"
#include "ui/panels/proposal_card.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
namespace {

constexpr int kStill_ms = 250;  // without another frame, before pictures are read

QString percent(const std::vector<SilhouetteShare>& shares, int camera) {
  return QString::number(100 * shares.at(static_cast<size_t>(camera)).value(), 'f', 0);
}

}  // namespace

OffsetProposals::OffsetProposals(const WindowParts& parts, ProposalCard* card, QAction* apply,
                                 QAction* dismiss)
    : Control(parts), card_(card), apply_(apply), dismiss_(dismiss) {
  still_.setSingleShot(true);
  still_.setInterval(kStill_ms);
  connect(&still_, &QTimer::timeout, this, [this] {
    if (proposals_.empty() || proposals_[static_cast<size_t>(shown_)].live()) return;
    proposals_[static_cast<size_t>(shown_)].moment = -1;
    read_pictures();
  });
  connect(apply_, &QAction::triggered, this, &OffsetProposals::apply);
  connect(dismiss_, &QAction::triggered, this, &OffsetProposals::dismiss);
  connect(card_, &ProposalCard::chosen, this, [this](int proposal) {
    shown_ = proposal;
    show();
  });
}

// Drops the proposals about cameras whose times have changed, whatever changed them.
void OffsetProposals::drop_past() {
  const auto past = [&](const Proposal& proposal) {
    const auto camera = static_cast<size_t>(proposal.camera);
    if (camera >= project().cameras.size()) return true;
    const ProjectCamera &now = project().cameras[camera], &before = proposal.of;
    return now.offset_frames != before.offset_frames || now.frame_rate != before.frame_rate ||
           now.offset_changes != before.offset_changes || now.live_delay_s != before.live_delay_s;
  };
  if (std::erase_if(proposals_, past) > 0) show();
}

void OffsetProposals::refresh(Changes what) {
  if (what.testFlag(Change::project)) drop_past();
  if (!what.testFlag(Change::frame)) return;
  frame_ = state().shown()->result->frame;
  if (!proposals_.empty() && card_->isVisible()) still_.start();
}

void OffsetProposals::forget() {
  still_.stop();
  pictures_job_.stop();
  agreement_job_.stop();
  proposals_.clear();
  show();
}

void OffsetProposals::update_availability() {
  for (QAction* action : {apply_, dismiss_}) enable(action, !empty(), tr("No offset is proposed."));
}

// ---- what is proposed

OffsetProposals::Proposal OffsetProposals::from_watch(const OffsetProposal& watched) const {
  const ProjectCamera& camera = project().cameras[static_cast<size_t>(watched.camera)];
  const std::string& base = project().cameras.front().name;
  const double rate = effective_frame_rate(camera.frame_rate, state().frame_rate());
  Proposal proposal;
  proposal.camera = watched.camera;
  proposal.watched = watched;
  proposal.proposed = camera;
  proposal.moment = watched.base_frame;
  const QString name = QString::fromStdString(camera.name);
  const QString sure = tr("confidence %1").arg(watched.confidence, 0, 'f', 2);
  if (watched.delay_s) {
    proposal.proposed.live_delay_s += *watched.delay_s;
    proposal.text = (*watched.delay_s > 0 ? tr("%1 appears to be %2 s behind %3; %4.")
                                          : tr("%1 appears to be %2 s ahead of %3; %4."))
                        .arg(name)
                        .arg(std::abs(*watched.delay_s), 0, 'f', 2)
                        .arg(QString::fromStdString(base), sure);
    return proposal;
  }
  if (watched.since == 0) {
    proposal.proposed.offset_frames += watched.frames;
    proposal.text =
        tr("%1 appears to have %2; %3.")
            .arg(name, QString::fromStdString(describe_offset(proposal.proposed.offset_frames, rate, base)),
                 sure);
    return proposal;
  }
  proposal.proposed.offset_changes.push_back({watched.since, static_cast<double>(watched.frames)});
  const int frames = std::abs(watched.frames);
  proposal.text = (watched.frames < 0 ? tr("%1 appears to have lost %2 frames (%3 s) at frame %4; %5.")
                                      : tr("%1 appears to be %2 frames (%3 s) behind since frame %4; %5."))
                      .arg(name)
                      .arg(frames)
                      .arg(frames / rate, 0, 'f', 2)
                      .arg(watched.since)
                      .arg(sure);
  return proposal;
}

void OffsetProposals::take_watched(const OffsetProposal& watched, bool applied) {
  if (watched.camera <= 0 || static_cast<size_t>(watched.camera) >= project().cameras.size()) return;
  if (!applied) {
    Proposal proposal = from_watch(watched);
    tell(proposal);
    return take(std::move(proposal));
  }
  remove(watched.camera);
  parts().messages->post(
      {Severity::note,
       tr("%1 is back in step.")
           .arg(QString::fromStdString(project().cameras[static_cast<size_t>(watched.camera)].name)),
       tr("Undo"), [this] { post(command::Undo{}); }});
}

void OffsetProposals::take_found(int camera, const ProjectCamera& proposed, const QString& text) {
  Proposal proposal;
  proposal.camera = camera;
  proposal.proposed = proposed;
  proposal.text = text;
  take(std::move(proposal));
}

void OffsetProposals::take(Proposal proposal) {
  proposal.of = project().cameras[static_cast<size_t>(proposal.camera)];
  const auto same = std::find_if(proposals_.begin(), proposals_.end(),
                                 [&](const Proposal& other) { return other.camera == proposal.camera; });
  shown_ = static_cast<int>(same - proposals_.begin());
  if (same == proposals_.end())
    proposals_.push_back(std::move(proposal));
  else
    *same = std::move(proposal);
  show();
}

void OffsetProposals::tell(const Proposal& proposal) {
  Message message{Severity::doubtful, proposal.text, tr("Show"), [this] { emit dock_wanted(); }};
  message.second_button = tr("Apply");
  message.second_action = [this, watched = *proposal.watched] { post(command::ApplyOffset{watched}); };
  parts().messages->post(std::move(message));
}

// ---- what becomes of it

void OffsetProposals::apply() {
  if (proposals_.empty()) return;
  const Proposal& proposal = proposals_[static_cast<size_t>(shown_)];
  if (proposal.watched)
    post(command::ApplyOffset{*proposal.watched});
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
  std::vector<CameraState> states(project().cameras.size());
  for (const Proposal& proposal : proposals_)
    states[static_cast<size_t>(proposal.camera)] = {CameraStanding::doubtful, tr("offset?"), proposal.text};
  return states;
}

void OffsetProposals::show() {
  shown_ = std::clamp(shown_, 0, std::max(static_cast<int>(proposals_.size()) - 1, 0));
  QStringList cameras;
  for (const Proposal& proposal : proposals_) cameras << QString::fromStdString(proposal.proposed.name);
  card_->set_proposals(cameras, shown_);
  emit changed();
  if (proposals_.empty()) return;
  const Proposal& proposal = proposals_[static_cast<size_t>(shown_)];
  card_->show_text(proposal.text, proposal.agreement);
  card_->show_pictures(nullptr);
  if (proposal.live()) return;  // what live cameras showed is gone
  read_pictures();
  compare_silhouettes();
}

// ---- before and after, off the GUI thread

void OffsetProposals::read_pictures() {
  if (proposals_.empty()) return;
  const Proposal& proposal = proposals_[static_cast<size_t>(shown_)];
  pictures_job_.start([this, project = project(), camera = proposal.camera, proposed = proposal.proposed,
                       moment = proposal.moment < 0 ? frame_ : proposal.moment](
                          const StopSource& stop) -> BackgroundJob::Deliver {
    Result<InstantPictures> read = read_instant(project, camera, proposed, moment, stop);
    std::shared_ptr<const InstantPictures> pictures;
    if (read) pictures = std::make_shared<const InstantPictures>(std::move(*read));
    return [this, pictures] { card_->show_pictures(pictures); };
  });
}

void OffsetProposals::compare_silhouettes() {
  const Proposal& proposal = proposals_[static_cast<size_t>(shown_)];
  if (!parts().services.agreement || !proposal.watched || !proposal.agreement.isEmpty()) return;
  Project changed = project();
  changed.cameras[static_cast<size_t>(proposal.camera)] = proposal.proposed;
  OffsetAgreementOptions how;
  how.first_frame = proposal.watched->since;
  how.last_frame = proposal.watched->base_frame;
  agreement_job_.start([this, agreement = parts().services.agreement, project = project(),
                        changed = std::move(changed), how,
                        camera = proposal.camera](const StopSource& stop) -> BackgroundJob::Deliver {
    OffsetAgreementOptions options = how;
    options.stop = stop;
    const auto before = agreement(project, options), after = agreement(changed, options);
    QString text = tr("The silhouettes cannot be compared.");
    if (before && after)
      text = tr("The cameras together explain %1 % of its silhouettes now, %2 % as proposed.")
                 .arg(percent(*before, camera), percent(*after, camera));
    return [this, camera, text] {
      for (size_t i = 0; i < proposals_.size(); ++i) {
        if (proposals_[i].camera != camera) continue;
        proposals_[i].agreement = text;
        if (static_cast<int>(i) == shown_) card_->show_text(proposals_[i].text, text);
      }
    };
  });
}

}  // namespace vantage::ui
