#include "ui/main_window/playback_control.h"

#include <algorithm>
#include <cmath>

#include "ui/main_window/focus_keys.h"
#include "ui/widgets/timeline.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

constexpr double kFastest = 8;
constexpr double kZoom = 2, kMovedShare = 0.5;  // by a key; of the time that is seen

}  // namespace

PlaybackControl::PlaybackControl(const WindowParts& parts) : Control(parts) {
  const MenuPosition position{Menu::playback}, separated{Menu::playback, nullptr, true};
  const auto kept = [this] {
    return unmet({{!state().live() || state().past(), tr("Nothing of the live cameras is kept yet.")}});
  };
  const auto recorded = [this] { return unmet({only_recordings()}); };
  // Holding a key repeats only what moves the playhead.
  const auto repeated = [](QAction* action) {
    action->setAutoRepeat(true);
    return action;
  };
  TimeAxis* axis = parts.timeline->axis();
  QAction* play = add_action(
      {"play", "&Play or Pause", "Space", "Play or pause"}, position,
      [this] { playing_ ? post(command::Pause{}) : post(command::Play{}); }, needs_project);
  add_action(
      {"backwards", "Play &Backwards", "J", "Play backwards; again: faster. With K held: one frame back"},
      position, [this] { play_on(-1); }, kept);
  add_action({"pause", "Pa&use", "K", "Pause"}, position, [this] { post(command::Pause{}); }, needs_project);
  add_action(
      {"forwards", "Play For&wards", "L", "Play forwards; again: faster. With K held: one frame forward"},
      position, [this] { play_on(1); }, kept);
  QAction* back = repeated(add_action(
      {"step_back", "P&revious Frame", ", Left", "One frame back"}, separated, [this] { step(-1); }, kept));
  QAction* forward = repeated(add_action(
      {"step_forward", "&Next Frame", ". Right", "One frame forward"}, position, [this] { step(1); }, kept));
  repeated(add_action(
      {"second_back", "One Second Bac&k", "Shift+Left", "One second back"}, position,
      [this] { step(-second()); }, kept));
  repeated(add_action(
      {"second_forward", "One Secon&d Forward", "Shift+Right", "One second forward"}, position,
      [this] { step(second()); }, kept));
  first_ = add_action(
      {"first", "&First Frame", "Home", "Go to the first frame"}, position,
      [this] { go_to(state().first_frame()); }, kept);
  last_ = add_action(
      {"last", "&Last Frame", "End", "Go to the last frame"}, position,
      [this] { state().live() ? post(command::FollowLive{}) : go_to(state().status().frame_count - 1); },
      needs_project);
  add_action(
      {"mark_in", "Mark &In", "I", "Start the range at this frame"}, separated,
      [this] { mark(&MarkedRange::in); }, recorded);
  add_action(
      {"mark_out", "Mark &Out", "O", "End the range at this frame"}, position,
      [this] { mark(&MarkedRange::out); }, recorded);
  add_action(
      {"clear_range", "&Clear Range", "Ctrl+Shift+I", "Clear the marked range"}, position,
      [this] { emit range_marked({}); },
      [this] { return unmet({only_recordings(), {!state().range().empty(), tr("No range is marked.")}}); });
  add_action(
      {"zoom_in", "&Zoom In",
       "Ctrl++ Ctrl+=", "Show half as much time around the playhead; in the timeline, the wheel"},
      separated, [axis] { axis->zoom(kZoom); }, needs_project);
  add_action(
      {"zoom_out", "Zoo&m Out", "Ctrl+-", "Show twice as much time"}, position,
      [axis] { axis->zoom(1 / kZoom); }, needs_project);
  add_action(
      {"zoom_all", "W&hole Recording", "Ctrl+Alt+0", "Show all of the recording's time"}, position,
      [axis] { axis->show_all(); }, needs_project);
  repeated(add_action(
      {"earlier_part", "&Earlier", "Ctrl+Left", "Show the time before the part that is shown"}, position,
      [axis] { axis->move_by(-kMovedShare); }, needs_project));
  repeated(add_action(
      {"later_part", "L&ater", "Ctrl+Right", "Show the time after the part that is shown"}, position,
      [axis] { axis->move_by(kMovedShare); }, needs_project));
  parts.transport->set_playback_actions(back, play, forward);
  connect(parts.transport, &Transport::live_requested, last_, &QAction::trigger);
  connect(parts.timeline, &Timeline::seek_requested, this, &PlaybackControl::go_to);
}

void PlaybackControl::refresh(Changes what) {
  if (what & (Change::range | Change::other_project)) {
    parts().timeline->set_range(state().range());
    parts().transport->set_range(state().range());
  }
  if (what & (Change::clock | Change::other_project)) {
    parts().timeline->set_clock(state().clock());
    parts().transport->set_clock(state().clock());
  }
  if (what.testFlag(Change::other_project)) parts().timeline->axis()->show_all();
  if (what.testFlag(Change::status)) show_status();
  if (what.testFlag(Change::frame)) show_frame(state().shown()->result->frame);
}

Control::Need PlaybackControl::only_recordings() const {
  return {!state().live(), tr("Ranges are marked in recordings, not in live cameras.")};
}

void PlaybackControl::show_status() {
  const SessionStatus& status = state().status();
  if (state().live() != live_) show_live(state().live());
  playing_ = status.playing;
  if ((!status.playing || following()) && rate_ != 1) {
    rate_ = 1;
    post(command::SetPlaybackRate{1});
  }
  parts().timeline->set_extent(status.frame_count, status.frame_rate, state().first_frame());
  parts().transport->set_status(status, rate_);
}

void PlaybackControl::show_live(bool live) {
  live_ = live;
  last_->setText(live ? tr("Go to &Live") : tr("&Last Frame"));
  last_->setProperty("tip", live ? tr("Show what the cameras see now") : tr("Go to the last frame"));
  first_->setText(live ? tr("&First That Is Kept") : tr("&First Frame"));
  first_->setProperty("tip", live ? tr("Go to the oldest that is kept") : tr("Go to the first frame"));
}

void PlaybackControl::show_frame(int64_t base_frame) {
  if (parts().timeline->dragging()) return;
  frame_ = base_frame;
  parts().timeline->set_frame(base_frame);
  parts().transport->set_frame(base_frame);
}

bool PlaybackControl::following() const {
  return state().live() && state().status().live->following;
}

// Again in the same direction: twice as fast. With K held a frame at a time. From what live cameras see now
// only backwards.
void PlaybackControl::play_on(int direction) {
  if (parts().held->k_held()) return step(direction);
  if (following()) {
    if (direction > 0) return;
    post(command::Pause{});
    playing_ = false;
  }
  const bool same_way = playing_ && rate_ * direction > 0;
  rate_ = same_way ? std::clamp(rate_ * 2, -kFastest, kFastest) : direction;
  post(command::SetPlaybackRate{rate_});
  if (!playing_) post(command::Play{});
  playing_ = true;
  SessionStatus status = state().status();
  status.playing = true;
  parts().transport->set_status(status, rate_);
}

void PlaybackControl::go_to(int64_t frame) {
  const int64_t first = state().first_frame();
  frame_ = std::clamp(frame, first, std::max(first, state().status().frame_count - 1));
  parts().timeline->set_frame(frame_);
  parts().timeline->axis()->bring_into_view(frame_);
  parts().transport->set_frame(frame_);
  post(command::Seek{frame_});
}

void PlaybackControl::step(int64_t frames) {
  if (playing_) post(command::Pause{});
  post(command::Step{frames});
}

int64_t PlaybackControl::second() const {
  return std::max<int64_t>(1, std::llround(state().status().frame_rate));
}

// ---- the range

// An end on the wrong side of the other starts a new range.
void PlaybackControl::mark(std::optional<int64_t> MarkedRange::* end) {
  MarkedRange range = state().range();
  range.*end = frame_;
  if (range.in && range.out && *range.in > *range.out)
    (end == &MarkedRange::in ? range.out : range.in).reset();
  emit range_marked(range);
}

void PlaybackControl::mark_range(const MarkedRange& range) {
  if (!state().live()) emit range_marked(range);
}

}  // namespace vantage::ui
