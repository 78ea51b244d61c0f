#include "ui/widgets/timeline.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/frame_rate.h"
#include "ui/widgets/colors.h"
#include "ui/widgets/time_ruler.h"

namespace vantage::ui {
namespace {

constexpr int kRulerHeight = 22;
constexpr int kStripHeight = 10;
constexpr int kPeopleHeight = 42;  // the gap above it included
constexpr int kPeopleTop = kRulerHeight + kStripHeight + 6;
constexpr int kTimelineMargin = Timeline::kRight;
constexpr double kTickLabel_px = 90;

}  // namespace

Timeline::Timeline(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Timeline"));
  setAccessibleDescription(tr("Click or drag to go to a frame."));
}

QSize Timeline::sizeHint() const {
  return {400, kRulerHeight + kStripHeight + 10 + (people_shown_ ? kPeopleHeight : 0)};
}

void Timeline::set_extent(int64_t frame_count, double frame_rate) {
  if (frame_count == frame_count_ && frame_rate == times_.frame_rate) return;
  frame_count_ = std::max<int64_t>(frame_count, 0);
  times_.frame_rate = frame_rate;
  update();
}

void Timeline::set_clock(const std::optional<RecordingClock>& clock) {
  if (clock == times_.clock) return;
  times_.clock = clock;
  setAccessibleDescription(describe(frame_));
  update();
}

void Timeline::set_frame(int64_t frame) {
  if (frame == frame_) return;
  frame_ = frame;
  setAccessibleDescription(describe(frame));
  update();
}

void Timeline::set_frames(std::vector<FrameSummary> frames, int64_t every) {
  if (frames == frames_ && every == every_) return;
  frames_ = std::move(frames);
  every_ = every;
  max_people_ = 0;
  for (const FrameSummary& frame : frames_) max_people_ = std::max<int>(max_people_, frame.people);
  setAccessibleDescription(describe(frame_));
  update();
}

void Timeline::set_events(std::vector<int64_t> frames) {
  if (frames == events_) return;
  events_ = std::move(frames);
  setAccessibleDescription(describe(frame_));
  update();
}

void Timeline::set_people_shown(bool shown) {
  if (shown == people_shown_) return;
  people_shown_ = shown;
  updateGeometry();
  update();
}

FrameSummary Timeline::summary(int64_t frame) const {
  const auto index = static_cast<size_t>(frame / every_);
  return frame >= 0 && index < frames_.size() ? frames_[index] : FrameSummary{};
}

int Timeline::bottom() const {
  return people_shown_ ? kPeopleTop + kPeopleHeight - 6 : kRulerHeight + kStripHeight + 4;
}

void Timeline::set_range(const MarkedRange& range) {
  range_ = range;
  update();
}

QRectF Timeline::track() const {
  return QRectF(kLeft, 0, std::max(1, width() - kLeft - kRight), height());
}

double Timeline::x_of(int64_t frame) const {
  const QRectF area = track();
  if (frame_count_ <= 1) return area.left();
  return area.left() + area.width() * static_cast<double>(frame) / static_cast<double>(frame_count_ - 1);
}

int64_t Timeline::frame_at(double x) const {
  if (frame_count_ <= 1) return 0;
  const QRectF area = track();
  const double share = std::clamp((x - area.left()) / area.width(), 0.0, 1.0);
  return std::llround(share * static_cast<double>(frame_count_ - 1));
}

void Timeline::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(palette().color(QPalette::PlaceholderText));
  QFont small = font();
  small.setPointSizeF(std::max(7.0, font().pointSizeF() - 1));
  painter.setFont(small);
  paint_labels(painter);
  if (frame_count_ == 0) return;
  paint_ruler(painter);
  paint_strip(painter);
  if (people_shown_) paint_people(painter);
  paint_events(painter);
  paint_range(painter);
  paint_playhead(painter);
}

void Timeline::paint_labels(QPainter& painter) const {
  painter.drawText(QRect(kTimelineMargin, 0, kLeft - kTimelineMargin, kRulerHeight), Qt::AlignVCenter,
                   times_.clock ? tr("time") : tr("from start"));
  painter.drawText(QRect(kTimelineMargin, kRulerHeight - 2, kLeft - kTimelineMargin, kStripHeight + 4),
                   Qt::AlignVCenter, tr("results"));
  if (!people_shown_) return;
  const int height = bottom() - kPeopleTop;
  painter.drawText(QRect(kTimelineMargin, kPeopleTop, kLeft - kTimelineMargin, height), Qt::AlignVCenter,
                   tr("people"));
  if (max_people_ == 0) return;
  const QRect scale(kTimelineMargin, kPeopleTop - 2, kLeft - kTimelineMargin - 5, height + 4);
  painter.drawText(scale, Qt::AlignRight | Qt::AlignTop, QString::number(max_people_));
  painter.drawText(scale, Qt::AlignRight | Qt::AlignBottom, "0");
}

void Timeline::paint_ruler(QPainter& painter) const {
  const double rate = effective_frame_rate(0, times_.frame_rate);
  const double duration = std::max(static_cast<double>(frame_count_ - 1) / rate, 1e-6);
  const QRectF area = track();
  const QColor text = palette().color(QPalette::WindowText),
               line = palette().color(QPalette::PlaceholderText);
  for (const RulerTick& tick :
       ruler_ticks(0, duration, area.width() / duration, kTickLabel_px, times_.clock)) {
    const double x = area.left() + tick.seconds / duration * area.width();
    painter.setPen(line);
    painter.drawLine(QPointF(x, kRulerHeight - 5), QPointF(x, kRulerHeight - 1));
    painter.setPen(text);
    const double width = painter.fontMetrics().horizontalAdvance(tick.label);
    const double left =
        std::clamp(x - width / 2, area.left(), area.right() + kTimelineMargin - width);
    painter.drawText(QRectF(left, 0, width + 2, kRulerHeight - 5), Qt::AlignCenter, tick.label);
  }
}

void Timeline::paint_strip(QPainter& painter) const {
  const QRectF area = track();
  const QRectF strip(area.left(), kRulerHeight, area.width(), kStripHeight);
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette().color(QPalette::AlternateBase));
  painter.drawRoundedRect(strip, 2, 2);
  // Runs of one state, at least a pixel wide.
  // Frames analysed on the CPU after the device failed count as a state of their own.
  const auto state_at = [&](int column) {
    const FrameSummary here = summary(frame_at(strip.left() + column + 0.5));
    return std::pair(here.state, here.continued && here.state == FrameState::current);
  };
  const int columns = static_cast<int>(strip.width());
  const QColor current(is_current_palette_dark() ? 0xff56b4e9 : 0xff0072b2);
  for (int begin = 0; begin < columns;) {
    int end = begin + 1;
    const auto [state, continued] = state_at(begin);
    while (end < columns && state_at(end) == std::pair(state, continued)) ++end;
    const QRectF run(strip.left() + begin, strip.top(), end - begin, strip.height());
    if (state == FrameState::current) {
      painter.fillRect(run, current);
      if (continued) painter.fillRect(run, QBrush(palette().color(QPalette::Base), Qt::VerPattern));
    } else if (state == FrameState::out_of_date) {
      painter.fillRect(run, QBrush(QColor(kDoubtful), Qt::BDiagPattern));
    } else {
      painter.setBrush(palette().color(QPalette::PlaceholderText));
      for (double x = run.left() + 4; x < run.right() - 1; x += 8)
        painter.drawEllipse(QPointF(x, run.center().y()), 1, 1);
    }
    begin = end;
  }
}

// A column as high as there are people; where a column stands for several frames, the most of them.
void Timeline::paint_people(QPainter& painter) const {
  const QRectF area = track();
  const double bottom_y = bottom(), height = bottom_y - kPeopleTop;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawLine(QPointF(area.left(), bottom_y), QPointF(area.right(), bottom_y));
  QColor current(is_current_palette_dark() ? 0xff56b4e9 : 0xff0072b2), old(kDoubtful);
  current.setAlpha(170);
  old.setAlpha(110);
  for (int column = 0; max_people_ > 0 && column < static_cast<int>(area.width()); ++column) {
    FrameSummary here;
    const int64_t first = frame_at(area.left() + column);
    const int64_t last = std::max(first + 1, frame_at(area.left() + column + 1));
    for (int64_t frame = first; frame < last; frame += every_)
      if (const FrameSummary each = summary(frame); each.people >= here.people) here = each;
    if (here.people <= 0) continue;
    const double high = std::round(height * here.people / max_people_);
    painter.fillRect(QRectF(area.left() + column, bottom_y - high, 1, high),
                     here.state == FrameState::current ? current : old);
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
}

// As many as there are events; those of one pixel lie on one another.
void Timeline::paint_events(QPainter& painter) const {
  painter.setPen(QPen(is_current_palette_dark() ? QColor(kDoubtful) : QColor(0xffb04a00), 2));
  for (const int64_t frame : events_) {
    if (frame < 0 || frame >= frame_count_) continue;
    const double x = x_of(frame);
    painter.drawLine(QPointF(x, kRulerHeight - 4), QPointF(x, kRulerHeight + kStripHeight / 2.0));
  }
}

// Raised in the frame, or in others of its pixel.
QString Timeline::events_at(int64_t frame) const {
  const int64_t reach = std::max<int64_t>(0, frame_at(x_of(frame) + 2) - frame);
  const auto first = std::lower_bound(events_.begin(), events_.end(), frame - reach);
  const auto count = std::upper_bound(first, events_.end(), frame + reach) - first;
  if (count == 0) return {};
  return count == 1 ? tr(", 1 event") : tr(", %1 events").arg(count);
}

void Timeline::paint_range(QPainter& painter) const {
  if (range_.empty()) return;
  const double left = x_of(range_.in.value_or(0)), right = x_of(range_.out.value_or(frame_count_ - 1));
  QColor fill(kSelection);
  fill.setAlpha(40);
  painter.fillRect(QRectF(left, kRulerHeight - 3, std::max(1.0, right - left), kStripHeight + 6), fill);
  const QColor mark = is_current_palette_dark() ? QColor(kSelection) : QColor(0xff8a7a00);
  painter.setPen(QPen(mark, 2));
  const double top = kRulerHeight - 4, bottom = kRulerHeight + kStripHeight + 4;
  if (range_.in)
    painter.drawPolyline(QPolygonF{{left + 5, top}, {left, top}, {left, bottom}, {left + 5, bottom}});
  if (range_.out)
    painter.drawPolyline(QPolygonF{{right - 5, top}, {right, top}, {right, bottom}, {right - 5, bottom}});
}

void Timeline::paint_playhead(QPainter& painter) const {
  const double x = x_of(std::clamp<int64_t>(frame_, 0, frame_count_ - 1));
  const QColor color = palette().color(QPalette::WindowText);
  painter.setPen(QPen(color, 1.5));
  painter.drawLine(QPointF(x, 6), QPointF(x, bottom()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF{{x - 6, 1}, {x + 6, 1}, {x, 9}});
}

bool Timeline::is_current_palette_dark() const {
  return palette().color(QPalette::Window).lightness() < 128;
}

void Timeline::seek_to(double x) {
  if (frame_count_ == 0) return;
  const int64_t wanted = frame_at(x);
  if (wanted == frame_) return;
  set_frame(wanted);
  emit seek_requested(wanted);
}

void Timeline::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  dragging_ = true;
  seek_to(event->position().x());
}

void Timeline::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) dragging_ = false;
}

// A hidden widget gets no release.
void Timeline::hideEvent(QHideEvent* event) {
  dragging_ = false;
  QWidget::hideEvent(event);
}

void Timeline::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) dragging_ = false;  // a dialog took the release
  if (dragging_) seek_to(event->position().x());
}

QString Timeline::describe(int64_t frame) const {
  const QString time = times_.frame_rate > 0 ? times_.text(frame) : QString();
  const FrameSummary here = summary(frame);
  const QString word = here.state == FrameState::current       ? tr("analysed")
                       : here.state == FrameState::out_of_date ? tr("out of date")
                                                               : tr("not analysed");
  const QString text = tr("frame %1, %2, %3").arg(frame).arg(time, word) +
                       (here.continued ? tr(", on the CPU after the GPU failed") : QString());
  const QString people = here.people < 0    ? QString()
                         : here.people == 1 ? tr(", 1 person")
                                            : tr(", %1 people").arg(here.people);
  return text + people + events_at(frame);
}

bool Timeline::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && frame_count_ > 0) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), describe(frame_at(help->pos().x())), this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace vantage::ui
