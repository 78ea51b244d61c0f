#include "ui/main_window/sync_control.h"

#include <QAction>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/clock.h"
#include "core/setup/alignment/align.h"
#include "core/sync/coarse_signals.h"
#include "core/video/video_source.h"
#include "ui/panels/proposal_card.h"
#include "ui/panels/sync_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbers.h"

namespace vantage::ui {
namespace {

constexpr int kStill_ms = 250;  // without another frame, before pictures are read

QString percent(const std::vector<SilhouetteShare>& shares, int camera) {
  return number_text(100 * shares.at(camera).value(), 'f', 0);
}

}  // namespace

OffsetProposals::OffsetProposals(const WindowParts& parts) : Control(parts) {
  const auto some = [this] { return unmet({{!empty(), tr("No offset is proposed.")}}); };
  QAction* apply = add_action(
      {"apply_offset", "Apply P&roposed Offset", "Ctrl+Shift+F12",
       "Correct the camera's offset as proposed; a running analysis continues with it"},
      {Menu::analysis, "find_offsets"}, [this] { this->apply(); }, some);
  QAction* dismiss = add_action(
      {"dismiss_offset", "&Dismiss Proposed Offset", "Shift+F12", "Keep the camera's offset as it is"},
      {Menu::analysis, "apply_offset"}, [this] { this->dismiss(); }, some);
  card_ = new ProposalCard(apply, dismiss);
  still_.setSingleShot(true);
  still_.setInterval(kStill_ms);
  connect(&still_, &QTimer::timeout, this, [this] {
    if (proposals_.empty() || proposals_[static_cast<size_t>(shown_)].live()) return;
    proposals_[static_cast<size_t>(shown_)].moment = -1;
    read_pictures();
  });
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

// ---- proposals

OffsetProposals::Proposal OffsetProposals::from_watch(const OffsetProposal& watched) const {
  const ProjectCamera& camera = project().cameras[watched.camera];
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
       tr("%1 is back in step.").arg(QString::fromStdString(project().cameras[watched.camera].name)),
       tr("Undo"), [this] {
         const std::string& last = state().status().undoes;
         if (last.starts_with("offset") || last == "delays") return post(command::Undo{});
         parts().messages->post({Severity::note, tr("Undo what was changed since first (Ctrl+Z).")});
       }});
}

void OffsetProposals::take_found(int camera, const ProjectCamera& proposed, const QString& text) {
  Proposal proposal;
  proposal.camera = camera;
  proposal.proposed = proposed;
  proposal.text = text;
  take(std::move(proposal));
}

void OffsetProposals::take(Proposal proposal) {
  proposal.of = project().cameras[proposal.camera];
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

// ---- answers to them

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
    states[proposal.camera] = {CameraStanding::doubtful, tr("offset?"), proposal.text};
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
  changed.cameras[proposal.camera] = proposal.proposed;
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

namespace {

constexpr double kWorthWhile = 0.5;  // frames off the project's offset: the minimum that is proposed
constexpr double kMaxFrames_s = 120;

// The rate as the project states it, or the file; 0 where neither does.
double rate_of(const ProjectCamera& camera, const StopSource& stop) {
  if (camera.frame_rate > 0) return camera.frame_rate;
  VideoOpenOptions how;
  how.stop = stop;
  const auto video = open_video(camera.video, how);
  return video ? (*video)->info().frame_rate : 0.0;
}

using MarkedInstants = std::vector<std::vector<MarkedInstant>>;  // by camera

// Off the GUI thread. A camera that nothing is known of runs at the base's rate.
Result<Alignment> align_by_marks(const Project& project, const MarkedInstants& marks, double base_rate,
                                 const StopSource& stop) {
  Alignment alignment;
  alignment.method = "marks";
  for (size_t c = 0; c < project.cameras.size(); ++c) {
    const double own = c == 0 ? base_rate : marks[c].empty() ? 0.0 : rate_of(project.cameras[c], stop);
    alignment.frame_rates.push_back(own > 0 ? own : base_rate);
    CameraAlignment& camera = alignment.estimate.cameras.emplace_back();
    if (c == 0) camera.offset_frames = 0;
    if (c == 0 || marks[c].empty()) continue;
    const auto found = alignment_from_marks(marks[c], alignment.frame_rates[c] / base_rate, base_rate);
    if (!found) return fail(found.error().kind, found.error().what, project.cameras[c].name);
    camera = *found;
  }
  return alignment;
}

std::vector<double> values_of(const std::vector<SilhouetteShare>& shares) {
  std::vector<double> values;
  for (const SilhouetteShare& share : shares) values.push_back(share.value());
  return values;
}

}  // namespace

SyncControl::SyncControl(const WindowParts& parts) : Control(parts) {
  QAction* find_offsets = add_action(
      {"find_offsets", "Find &Offsets", "Ctrl+F12", "Find from the pictures when each camera started"},
      {Menu::analysis, "check"}, [this] { find(); },
      [this] {
        return unmet(
            {{!state().live(), tr("Live cameras are watched while they run.")},
             {project().cameras.size() > 1, tr("There is only one camera: nothing to synchronise with.")},
             idle()});
      });
  proposals_ = new OffsetProposals(parts);
  panel_ = new SyncPanel(find_offsets, action("undo"), proposals_->card());
  QAction* dock = add_dock(
      {"synchronisation", "S&ynchronisation", "F12", "Show when each camera started, and set it by hand"},
      "log", tr("Synchronisation"), panel_);
  for (QAction* action : {find_offsets, dock}) action->setVisible(parts.services.align != nullptr);
  connect(parts.services.bridge, &SessionBridge::offset_proposed, proposals_, &OffsetProposals::take_watched);
  connect(proposals_, &OffsetProposals::dock_wanted, this, &SyncControl::dock_wanted);
  connect(proposals_, &OffsetProposals::changed, this, &SyncControl::show_states);
  connect(proposals_, &OffsetProposals::found_accepted, this, [this](int camera) { apply({0, camera}); });
  connect(panel_, &SyncPanel::apply_requested, this, &SyncControl::apply);
  connect(panel_, &SyncPanel::nudged, this, &SyncControl::nudge);
  connect(panel_, &SyncPanel::marks_given, this, &SyncControl::apply_marks);
  connect(panel_, &SyncPanel::lines_changed, this, &SyncControl::show_lines);
  connect(&job_, &BackgroundJob::stopped, this, [this] {
    panel_->show_running(false);
    emit running_changed();
  });
}

std::optional<RunningWork> SyncControl::running() const {
  if (!job_.running()) return std::nullopt;
  return RunningWork{tr("Finding offsets"), tr("Offsets are being found.")};
}

void SyncControl::refresh(Changes what) {
  if (what & (Change::project | Change::frame_rate)) panel_->set_project(project(), state().frame_rate());
  proposals_->refresh(what);
  if (what.testFlag(Change::frame)) show_instant();
}

void SyncControl::update_availability() {
  Control::update_availability();
  proposals_->update_availability();
}

// Live cameras' states are the Health dock's.
void SyncControl::show_states() {
  if (!state().live()) parts().cameras->set_states(proposals_->states());
  proposals_->update_availability();
}

void SyncControl::show_instant() {
  std::vector<int64_t> frames;
  if (const FrameSet* set = state().shown()->result->frames())
    for (const CameraFrame& camera : set->cameras)
      frames.push_back(camera.picture ? camera.camera_frame : -1);
  panel_->set_instant(frames);
}

void SyncControl::forget() {
  job_.stop();
  marks_job_.stop();
  found_.reset();
  panel_->clear();
  proposals_->forget();
  show_lines();
}

// ---- finding

void SyncControl::find() {
  emit dock_wanted();
  panel_->show_running(true);
  job_.start([this, project = project(),
              rate = state().frame_rate()](const StopSource& stop) -> BackgroundJob::Deliver {
    return [this, found = std::make_shared<Found>(work(project, rate, stop))] { on_found(*found); };
  });
  emit running_changed();
}

// Off the GUI thread.
SyncControl::Found SyncControl::work(const Project& project, double frame_rate,
                                     const StopSource& stop) const {
  const WindowServices& services = parts().services;
  AlignOptions options;
  options.keep_signals = true;
  options.collect.stop = stop;
  options.collect.max_frames = static_cast<int64_t>(kMaxFrames_s * frame_rate);
  const tl::unexpected<Error> none = fail(ErrorKind::not_found, "nothing to compare");
  Found found{services.align(project, options), none, none};
  if (!found.alignment || !services.agreement || !project.calibrated()) return found;
  Project changed = project;
  if (!apply_alignment(*found.alignment, &changed) || !difference(project, changed).recording) return found;
  OffsetAgreementOptions how;
  how.stop = stop;
  found.before = services.agreement(project, how);
  found.after = services.agreement(changed, how);
  return found;
}

void SyncControl::on_found(const Found& found) {
  emit running_changed();
  if (!found.alignment)
    return panel_->show_problem(QString::fromStdString(found.alignment.error().message()));
  found_ = std::make_shared<const Alignment>(*found.alignment);
  panel_->show_alignment(found_);
  if (found.before && found.after)
    panel_->show_agreement({values_of(*found.before), values_of(*found.after)});
  propose(*found_);
}

void SyncControl::propose(const Alignment& alignment) {
  std::vector<int> cameras = {0};
  QStringList sentences;
  Project changed = project();
  const bool applicable = apply_alignment(alignment, &changed).has_value();
  for (size_t c = 1; c < alignment.estimate.cameras.size() && c < project().cameras.size(); ++c) {
    const CameraAlignment& camera = alignment.estimate.cameras[c];
    if (!camera.offset_frames) continue;
    if (std::abs(*camera.offset_frames - project().cameras[c].offset_frames) < kWorthWhile &&
        camera.changes.empty())
      continue;
    cameras.push_back(static_cast<int>(c));
    sentences << tr("%1 %2").arg(
        QString::fromStdString(project().cameras[c].name),
        QString::fromStdString(describe_offset(*camera.offset_frames, alignment.frame_rates[c],
                                               project().cameras.front().name)));
    if (applicable)
      proposals_->take_found(
          cameras.back(), changed.cameras[c],
          tr("Apparently, %1; confidence %2.").arg(sentences.back()).arg(camera.confidence, 0, 'f', 2));
  }
  if (sentences.isEmpty()) return;
  report_ = tr("Apparently, %1.").arg(sentences.join(", "));
  Message message{Severity::doubtful, report_, tr("Show"), [this] { emit dock_wanted(); }};
  message.second_button = tr("Apply");
  message.second_action = [this, cameras] { apply(cameras); };
  parts().messages->post(std::move(message));
}

// ---- accepting

void SyncControl::apply(const std::vector<int>& cameras) {
  if (!found_) return;
  if (cameras.size() == project().cameras.size()) parts().messages->withdraw(report_);
  Alignment chosen = *found_;
  chosen.compared.reset();
  for (size_t c = 0; c < chosen.estimate.cameras.size(); ++c)
    if (std::find(cameras.begin(), cameras.end(), static_cast<int>(c)) == cameras.end())
      chosen.estimate.cameras[c].offset_frames.reset();
  accept(std::move(chosen));
}

void SyncControl::accept(Alignment alignment) {
  Project trial = project();
  if (const Status applied = apply_alignment(alignment, &trial); !applied) {
    parts().messages->post({Severity::failed, QString::fromStdString(applied.error().message())});
    return;
  }
  post(command::Edit{"offsets", [alignment = std::move(alignment)](Project& project) {
                       static_cast<void>(apply_alignment(alignment, &project));  // as it did above
                     }});
}

void SyncControl::nudge(int camera, double frames) {
  post(command::Edit{"offset", [camera, frames, rate = state().frame_rate()](Project& project) {
                       if (static_cast<size_t>(camera) >= project.cameras.size())
                         return;  // it was taken out meanwhile
                       ProjectCamera& moved = project.cameras[camera];
                       if (project.live()) {
                         moved.live_delay_s = std::round((moved.live_delay_s + frames / rate) * 1e4) / 1e4;
                         return;
                       }
                       moved.offset_frames = std::round((moved.offset_frames + frames) * 1000) / 1000;
                       moved.offset_confirmed = true;
                     }});
}

void SyncControl::apply_marks() {
  MarkedInstants marks;
  for (size_t c = 0; c < project().cameras.size(); ++c) marks.push_back(panel_->marks(static_cast<int>(c)));
  marks_job_.start([this, project = project(), rate = state().frame_rate(),
                    marks = std::move(marks)](const StopSource& stop) -> BackgroundJob::Deliver {
    return [this, found = std::make_shared<Result<Alignment>>(align_by_marks(project, marks, rate, stop))] {
      if (*found) return accept(std::move(**found));
      parts().messages->post({Severity::failed, QString::fromStdString(found->error().message())});
    };
  });
}

// ---- lines over the pictures

void SyncControl::show_lines() {
  std::vector<MarkedEpipolarLines> marked;
  const int pair = panel_->shown_pair();
  if (found_ && found_->compared && pair >= 0 && panel_->shows_lines() &&
      static_cast<size_t>(pair) < found_->compared->lines.size()) {
    const EpipolarLinePairs& lines = found_->compared->lines[pair];
    const PairSignals& lines_of_pair = found_->compared->pairs[pair];
    marked = {{lines_of_pair.first, panel_->shown_line(), lines.first},
              {lines_of_pair.second, panel_->shown_line(), lines.second}};
  }
  parts().cameras->set_epipolar_lines(marked);
}

}  // namespace vantage::ui
