#include "ui/main_window/playback_control.h"

#include <algorithm>
#include <cmath>

#include "ui/main_window/held_keys.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {
namespace {

constexpr double kFastest = 8;

}  // namespace

PlaybackControl::PlaybackControl(const WindowActions& a, Parts parts, QObject* parent)
    : QObject(parent), parts_(parts) {
  const auto on = [this](QAction* action, auto command) {
    connect(action, &QAction::triggered, this, command);
  };
  on(a.play, [this] {
    status_.playing ? parts_.session->post(command::Pause{}) : parts_.session->post(command::Play{});
  });
  on(a.pause, [this] { parts_.session->post(command::Pause{}); });
  on(a.backwards, [this] { play_on(-1); });
  on(a.forwards, [this] { play_on(1); });
  on(a.step_back, [this] { step(-1); });
  on(a.step_forward, [this] { step(1); });
  on(a.second_back, [this] { step(-second()); });
  on(a.second_forward, [this] { step(second()); });
  on(a.first, [this] { go_to(0); });
  on(a.last,
     [this] { status_.live ? parts_.session->post(command::Play{}) : go_to(status_.frame_count - 1); });
  on(a.mark_in, [this] { mark(&MarkedRange::in); });
  on(a.mark_out, [this] { mark(&MarkedRange::out); });
  on(a.clear_range, [this] { set_range({}); });
  connect(parts_.transport, &Transport::live_requested, a.last, &QAction::trigger);
  connect(parts_.timeline, &Timeline::seek_requested, this, &PlaybackControl::go_to);
}

void PlaybackControl::set_status(const SessionStatus& status) {
  status_ = status;
  if (!status.playing && rate_ != 1) {
    rate_ = 1;
    parts_.session->post(command::SetPlaybackRate{1});
  }
  parts_.timeline->set_extent(status.frame_count, status.frame_rate);
  parts_.transport->set_status(status_, rate_);
}

void PlaybackControl::show_frame(int64_t base_frame) {
  if (parts_.timeline->dragging()) return;
  frame_ = base_frame;
  parts_.timeline->set_frame(base_frame);
  parts_.transport->set_frame(base_frame);
}

void PlaybackControl::forget() {
  frame_ = 0;
  set_range({});
}

// Again in the same direction: twice as fast. With K held a frame at a time.
void PlaybackControl::play_on(int direction) {
  if (parts_.held->k_held()) return step(direction);
  const bool same_way = status_.playing && rate_ * direction > 0;
  rate_ = same_way ? std::clamp(rate_ * 2, -kFastest, kFastest) : direction;
  parts_.session->post(command::SetPlaybackRate{rate_});
  if (!status_.playing) parts_.session->post(command::Play{});
  status_.playing = true;
  parts_.transport->set_status(status_, rate_);
}

void PlaybackControl::go_to(int64_t frame) {
  frame_ = std::clamp<int64_t>(frame, 0, std::max<int64_t>(0, status_.frame_count - 1));
  parts_.timeline->set_frame(frame_);
  parts_.transport->set_frame(frame_);
  parts_.session->post(command::Seek{frame_});
}

void PlaybackControl::step(int64_t frames) {
  if (status_.playing) parts_.session->post(command::Pause{});
  parts_.session->post(command::Step{frames});
}

int64_t PlaybackControl::second() const {
  return std::max<int64_t>(1, std::llround(status_.frame_rate));
}

// ---- the range

// An end on the wrong side of the other starts a new range.
void PlaybackControl::mark(std::optional<int64_t> MarkedRange::* end) {
  MarkedRange range = range_;
  range.*end = frame_;
  if (range.in && range.out && *range.in > *range.out)
    (end == &MarkedRange::in ? range.out : range.in).reset();
  set_range(range);
}

void PlaybackControl::set_range(const MarkedRange& range) {
  range_ = range;
  parts_.timeline->set_range(range);
  parts_.transport->set_range(range);
  emit range_changed();
}

FrameRange PlaybackControl::frames_of_range() const {
  return {range_.in.value_or(0), range_.out ? *range_.out + 1 : status_.frame_count};
}

}  // namespace vantage::ui
