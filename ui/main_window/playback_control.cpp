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

PlaybackControl::Actions PlaybackControl::make_actions() {
  const MenuPosition position{Menu::playback}, separated{Menu::playback, nullptr, true};
  return {
      .play = add_action({"play", "&Play or Pause", "Space", "Play or pause"}, position,
                         [this] { playing_ ? post(command::Pause{}) : post(command::Play{}); }),
      .backwards = add_action(
          {"backwards", "Play &Backwards", "J", "Play backwards; again: faster. With K held: one frame back"},
          position, [this] { play_on(-1); }),
      .pause = add_action({"pause", "Pa&use", "K", "Pause"}, position, [this] { post(command::Pause{}); }),
      .forwards = add_action(
          {"forwards", "Play For&wards", "L", "Play forwards; again: faster. With K held: one frame forward"},
          position, [this] { play_on(1); }),
      .step_back = add_action({"step_back", "P&revious Frame", ", Left", "One frame back"}, separated,
                              [this] { step(-1); }),
      .step_forward = add_action({"step_forward", "&Next Frame", ". Right", "One frame forward"}, position,
                                 [this] { step(1); }),
      .second_back = add_action({"second_back", "One Second Bac&k", "Shift+Left", "One second back"},
                                position, [this] { step(-second()); }),
      .second_forward =
          add_action({"second_forward", "One Secon&d Forward", "Shift+Right", "One second forward"}, position,
                     [this] { step(second()); }),
      .first = add_action({"first", "&First Frame", "Home", "Go to the first frame"}, position,
                          [this] { go_to(state().first_frame()); }),
      .last = add_action(
          {"last", "&Last Frame", "End", "Go to the last frame"}, position,
          [this] { state().live() ? post(command::FollowLive{}) : go_to(state().status().frame_count - 1); }),
      .mark_in = add_action({"mark_in", "Mark &In", "I", "Start the range at this frame"}, separated,
                            [this] { mark(&MarkedRange::in); }),
      .mark_out = add_action({"mark_out", "Mark &Out", "O", "End the range at this frame"}, position,
                             [this] { mark(&MarkedRange::out); }),
      .clear_range = add_action({"clear_range", "&Clear Range", "Ctrl+Shift+I", "Clear the marked range"},
                                position, [this] { emit range_marked({}); }),
      .zoom_in = add_action({"zoom_in", "&Zoom In", "Ctrl++ Ctrl+=",
                             "Show half as much time around the playhead; in the timeline, the wheel"},
                            separated, [this] { parts().timeline->axis()->zoom(kZoom); }),
      .zoom_out = add_action({"zoom_out", "Zoo&m Out", "Ctrl+-", "Show twice as much time"}, position,
                             [this] { parts().timeline->axis()->zoom(1 / kZoom); }),
      .zoom_all =
          add_action({"zoom_all", "W&hole Recording", "Ctrl+Alt+0", "Show all of the recording's time"},
                     position, [this] { parts().timeline->axis()->show_all(); }),
      .earlier_part =
          add_action({"earlier_part", "&Earlier", "Ctrl+Left", "Show the time before the part that is shown"},
                     position, [this] { parts().timeline->axis()->move_by(-kMovedShare); }),
      .later_part =
          add_action({"later_part", "L&ater", "Ctrl+Right", "Show the time after the part that is shown"},
                     position, [this] { parts().timeline->axis()->move_by(kMovedShare); }),
  };
}

PlaybackControl::PlaybackControl(const WindowParts& parts) : Control(parts), actions_(make_actions()) {
  const auto& a = actions_;
  // Holding a key repeats only what moves the playhead.
  for (QAction* action :
       {a.step_back, a.step_forward, a.second_back, a.second_forward, a.earlier_part, a.later_part})
    action->setAutoRepeat(true);
  parts.transport->set_playback_actions(a.step_back, a.play, a.step_forward);
  connect(parts.transport, &Transport::live_requested, a.last, &QAction::trigger);
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

void PlaybackControl::update_availability() {
  const auto& a = actions_;
  for (QAction* action :
       {a.play, a.pause, a.last, a.zoom_in, a.zoom_out, a.zoom_all, a.earlier_part, a.later_part})
    enable(action);
  const QString only_recordings = tr("Ranges are marked in recordings, not in live cameras.");
  for (QAction* action : {a.mark_in, a.mark_out}) enable(action, !state().live(), only_recordings);
  enable(a.clear_range, !state().live() && !state().range().empty(),
         state().live() ? only_recordings : tr("No range is marked."));
  for (QAction* action :
       {a.backwards, a.forwards, a.step_back, a.step_forward, a.second_back, a.second_forward, a.first})
    enable(action, !state().live() || state().past(), tr("Nothing of the live cameras is kept yet."));
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
  actions_.last->setText(live ? tr("Go to &Live") : tr("&Last Frame"));
  actions_.last->setProperty("tip", live ? tr("Show what the cameras see now") : tr("Go to the last frame"));
  actions_.first->setText(live ? tr("&First That Is Kept") : tr("&First Frame"));
  actions_.first->setProperty("tip",
                              live ? tr("Go to the oldest that is kept") : tr("Go to the first frame"));
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
