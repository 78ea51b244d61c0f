#include "ui/main_window/sync_control.h"

#include <algorithm>
#include <cmath>

#include "core/sync/coarse_signals.h"
#include "core/video/video_source.h"
#include "ui/panels/proposal_card.h"
#include "ui/panels/sync_panel.h"
#include "ui/platform/session_bridge.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/message_bar.h"

namespace vantage::ui {
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

SyncControl::Actions SyncControl::make_actions() {
  return {
      .synchronisation = add_action({"synchronisation", "S&ynchronisation", "F12",
                                     "Show when each camera started, and set it by hand", true},
                                    {Menu::docks, "log"}),
      .find_offsets = add_action(
          {"find_offsets", "Find &Offsets", "Ctrl+F12", "Find from the pictures when each camera started"},
          {Menu::analysis, "check"}, [this] { find(); }),
      .apply_offset =
          add_action({"apply_offset", "Apply P&roposed Offset", "Ctrl+Shift+F12",
                      "Correct the camera's offset as proposed; a running analysis continues with it"},
                     {Menu::analysis, "find_offsets"}),
      .dismiss_offset = add_action(
          {"dismiss_offset", "&Dismiss Proposed Offset", "Shift+F12", "Keep the camera's offset as it is"},
          {Menu::analysis, "apply_offset"}),
  };
}

SyncControl::SyncControl(const WindowParts& parts)
    : Control(parts),
      actions_(make_actions()),
      card_(new ProposalCard(actions_.apply_offset, actions_.dismiss_offset)),
      panel_(new SyncPanel(actions_.find_offsets, action("undo"), card_)),
      proposals_(new OffsetProposals(parts, card_, actions_.apply_offset, actions_.dismiss_offset)) {
  actions_.find_offsets->setVisible(available());
  actions_.synchronisation->setVisible(available());
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

std::optional<Dock> SyncControl::dock() const {
  return Dock{tr("Synchronisation"), panel_, actions_.synchronisation};
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
  const bool several = project().cameras.size() > 1;
  if (state().live())
    enable(actions_.find_offsets, false, tr("Live cameras are watched while they run."));
  else
    enable(actions_.find_offsets, several && !state().busy(),
           several ? state().why_busy() : tr("There is only one camera: nothing to synchronise with."));
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
  told_ = tr("Apparently, %1.").arg(sentences.join(", "));
  Message message{Severity::doubtful, told_, tr("Show"), [this] { emit dock_wanted(); }};
  message.second_button = tr("Apply");
  message.second_action = [this, cameras] { apply(cameras); };
  parts().messages->post(std::move(message));
}

// ---- accepting

void SyncControl::apply(const std::vector<int>& cameras) {
  if (!found_) return;
  if (cameras.size() == project().cameras.size()) parts().messages->withdraw(told_);
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
    parts().messages->post({Severity::failed, QString::fromStdString(applied.error().message()), {}, {}});
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
                       ProjectCamera& moved = project.cameras[static_cast<size_t>(camera)];
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
      parts().messages->post({Severity::failed, QString::fromStdString(found->error().message()), {}, {}});
    };
  });
}

// ---- lines over the pictures

void SyncControl::show_lines() {
  std::vector<MarkedEpipolarLines> marked;
  const int pair = panel_->shown_pair();
  if (found_ && found_->compared && pair >= 0 && panel_->shows_lines() &&
      static_cast<size_t>(pair) < found_->compared->lines.size()) {
    const EpipolarLinePairs& lines = found_->compared->lines[static_cast<size_t>(pair)];
    const PairSignals& lines_of_pair = found_->compared->pairs[static_cast<size_t>(pair)];
    marked = {{lines_of_pair.first, panel_->shown_line(), lines.first},
              {lines_of_pair.second, panel_->shown_line(), lines.second}};
  }
  parts().cameras->set_epipolar_lines(marked);
}

}  // namespace vantage::ui
