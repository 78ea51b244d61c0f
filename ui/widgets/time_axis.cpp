#include "ui/widgets/time_axis.h"

#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace vantage::ui {
namespace {

constexpr double kNotch = 120, kZoomOfNotch = 1.25, kMoveOfNotch = 0.1;
constexpr double kNearlyAll = 0.5;  // frames that are left out
constexpr double kAhead = 0.1;      // of the part, before a playhead that was brought into view

}  // namespace

void TimeAxis::set_extent(int64_t first_frame, int64_t end_frame) {
  end_frame = std::max(end_frame, first_frame);
  if (first_frame == first_frame_ && end_frame == end_frame_) return;
  const bool all = whole();
  first_frame_ = first_frame, end_frame_ = end_frame;
  if (all)
    left_ = static_cast<double>(first_frame_), right_ = std::max(left_, last());
  else
    show(left_, right_);
  emit changed();
}

bool TimeAxis::whole() const {
  return left_ <= static_cast<double>(first_frame_) && right_ >= last();
}

void TimeAxis::set_playhead(int64_t frame) {
  const bool followed = shows(static_cast<double>(playhead_));
  playhead_ = frame;
  if (followed) bring_into_view(frame);
}

double TimeAxis::x_of(double frame, double left_px, double width_px) const {
  return right_ > left_ ? left_px + (frame - left_) / (right_ - left_) * width_px : left_px;
}

double TimeAxis::px_per_frame(double width_px) const {
  return right_ > left_ ? width_px / (right_ - left_) : width_px;
}

int64_t TimeAxis::frame_at(double x, double left_px, double width_px) const {
  const double share = std::clamp((x - left_px) / std::max(width_px, 1.0), 0.0, 1.0);
  const int64_t frame = std::llround(left_ + share * (right_ - left_));
  return std::clamp(frame, first_frame_, std::max(first_frame_, end_frame_ - 1));
}

void TimeAxis::show(double left, double right) {
  const auto first = static_cast<double>(first_frame_), end = std::max(first, last());
  double frames = std::min(std::max(right - left, kMinFrames), end - first);
  if (end - first - frames < kNearlyAll) frames = end - first;  // by rounding
  if (right - left < frames) left = (left + right - frames) / 2;
  left = std::clamp(left, first, end - frames);
  if (left == left_ && left + frames == right_) return;
  left_ = left, right_ = left + frames;
  emit changed();
}

void TimeAxis::zoom(double factor, double otherwise_at) {
  const auto playhead = static_cast<double>(playhead_);
  const double at = shows(playhead) ? playhead : std::clamp(otherwise_at, left_, right_);
  const double frames = std::max((right_ - left_) / factor, kMinFrames);
  const double share = right_ > left_ ? (at - left_) / (right_ - left_) : 0;
  show(at - share * frames, at + (1 - share) * frames);
}

void TimeAxis::move_by(double share) {
  const double by = share * (right_ - left_);
  show(left_ + by, right_ + by);
}

void TimeAxis::show_all() {
  show(static_cast<double>(first_frame_), last());
}

void TimeAxis::bring_into_view(int64_t frame) {
  const auto at = static_cast<double>(frame);
  if (shows(at)) return;
  const double frames = right_ - left_, left = at < left_ ? at - (1 - kAhead) * frames : at - kAhead * frames;
  show(left, left + frames);
}

void TimeAxis::turn(const QWheelEvent& wheel, double over_frame) {
  const QPoint by = wheel.angleDelta();
  const bool sideways = std::abs(by.x()) > std::abs(by.y());
  const double notches = (sideways ? by.x() : by.y()) / kNotch;
  if (sideways || wheel.modifiers().testFlag(Qt::ShiftModifier))
    move_by(-kMoveOfNotch * notches);
  else
    zoom(std::pow(kZoomOfNotch, notches), over_frame);
}

}  // namespace vantage::ui
