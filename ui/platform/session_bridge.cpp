#include "ui/platform/session_bridge.h"

#include <QMetaObject>
#include <utility>

namespace vantage::ui {

template <typename Change>
void SessionBridge::keep(Change change) {
  const std::lock_guard lock(mutex_);
  change(pending_);
  if (std::exchange(scheduled_, true)) return;
  QMetaObject::invokeMethod(this, &SessionBridge::deliver, Qt::QueuedConnection);
}

void SessionBridge::on_opened(const Project& project) {
  keep([&](Pending& pending) {
    if (pending.frame) pending.frame_before_project = std::move(pending.frame);
    pending.frame.reset();
    pending.project = project;
  });
}

void SessionBridge::on_frame(ShownFrameRef shown) {
  keep([&](Pending& pending) { pending.frame = std::move(shown); });
}

void SessionBridge::on_status(const SessionStatus& status) {
  keep([&](Pending& pending) { pending.status = status; });
}

void SessionBridge::on_results(std::vector<FrameSummary> frames) {
  keep([&](Pending& pending) { pending.frames = std::move(frames); });
}

void SessionBridge::on_tracks(TracksRef tracks) {
  keep([&](Pending& pending) { pending.tracks = std::move(tracks); });
}

void SessionBridge::on_offset_proposal(const OffsetProposal& proposal, bool applied) {
  keep([&](Pending& pending) { pending.proposals.emplace_back(proposal, applied); });
}

void SessionBridge::on_why(const WhyReport& report) {
  keep([&](Pending& pending) { pending.why = report; });
}

void SessionBridge::on_error(const Error& error) {
  keep([&](Pending& pending) { pending.errors.push_back(error); });
}

void SessionBridge::on_note(const std::string& note) {
  keep([&](Pending& pending) { pending.notes.push_back(note); });
}

void SessionBridge::on_step(const RepeatedStep& step) {
  keep([&](Pending& pending) { pending.steps.push_back(step); });
}

// Nothing of a project stays once it is closed, or another one is opened.
void SessionBridge::remember(const Pending& now) {
  if (now.status && !now.status->open) last_ = {};
  if (now.project && last_.project && now.project->path != last_.project->path) last_ = {};
  if (now.project) last_.project = now.project;
  if (now.status) last_.status = now.status;
  if (now.tracks) last_.tracks = now.tracks;
  if (now.frames) last_.frames = now.frames;
  if (now.frame) last_.frame = now.frame;
}

void SessionBridge::repeat() {
  const Pending last = last_;
  if (last.project) emit opened(*last.project);
  if (last.status) emit status_changed(*last.status);
  if (last.tracks) emit tracks_changed(*last.tracks);
  if (last.frames) emit results_changed(*last.frames);
  if (last.frame) emit frame_ready(last.frame);
}

void SessionBridge::deliver() {
  Pending now;
  {
    const std::lock_guard lock(mutex_);
    now = std::exchange(pending_, {});
    scheduled_ = false;
  }
  remember(now);
  if (now.frame_before_project) emit frame_ready(now.frame_before_project);
  if (now.project) emit opened(*now.project);
  if (now.status) emit status_changed(*now.status);
  if (now.tracks) emit tracks_changed(*now.tracks);
  if (now.frames) emit results_changed(*now.frames);
  if (now.frame) emit frame_ready(now.frame);
  for (const auto& [proposal, applied] : now.proposals) emit offset_proposed(proposal, applied);
  if (now.why) emit why_answered(*now.why);
  for (const Error& error : now.errors) emit error_raised(error);
  for (const std::string& note : now.notes) emit note_raised(QString::fromStdString(note));
  for (const RepeatedStep& step : now.steps) emit step_repeated(step);
}

}  // namespace vantage::ui
