#include "ui/widgets/timeline.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/clock.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

constexpr int kRulerHeight = 22;
constexpr int kStripHeight = 10;
constexpr int kPeopleHeight = 42;  // the gap above it included
constexpr int kPeopleTop = kRulerHeight + kStripHeight + 6;
constexpr int kTimelineMargin = Timeline::kRight;
constexpr double kTickLabel_px = 90;
constexpr double kFrameTick_px = 8;   // a frame is so wide at least where each has a tick
constexpr double kEventReach_px = 4;  // of the pointer
constexpr size_t kToldEvents = 6;     // by a tool tip
constexpr int kPartHeight = 6;        // of the bar that says which part is seen
constexpr double kMinPart_px = 8;

}  // namespace

Timeline::Timeline(QWidget* parent) : QWidget(parent), axis_(new TimeAxis(this)) {
  connect(axis_, &TimeAxis::changed, this, &Timeline::change);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Timeline"));
  setAccessibleDescription(tr("Click or drag to go to a frame; the wheel zooms."));
}

QSize Timeline::sizeHint() const {
  return {400, kRulerHeight + kStripHeight + 10 + (people_shown_ ? kPeopleHeight : 0) + kPartHeight};
}

void Timeline::set_extent(int64_t end_frame, double frame_rate, int64_t first_frame) {
  end_frame = std::max(end_frame, first_frame);
  if (end_frame == axis_->end_frame() && first_frame == axis_->first_frame() &&
      frame_rate == times_.frame_rate)
    return;
  times_.frame_rate = frame_rate;
  axis_->set_extent(first_frame, end_frame);
  change();
}

void Timeline::set_clock(const std::optional<RecordingClock>& clock) {
  if (clock == times_.clock) return;
  times_.clock = clock;
  setAccessibleDescription(describe(frame_));
  change();
}

void Timeline::set_frame(int64_t frame) {
  if (frame == frame_) return;
  frame_ = frame;
  axis_->set_playhead(frame);
  setAccessibleDescription(describe(frame));
  update();
}

void Timeline::set_frames(std::vector<FrameSummary> frames, int64_t every, int64_t first) {
  if (frames == frames_ && every == every_ && first == first_) return;
  frames_ = std::move(frames);
  every_ = every, first_ = first;
  max_people_ = 0;
  for (const FrameSummary& frame : frames_) max_people_ = std::max<int>(max_people_, frame.people);
  setAccessibleDescription(describe(frame_));
  change();
}

void Timeline::set_events(std::vector<EventTick> events) {
  if (events == events_) return;
  events_ = std::move(events);
  setAccessibleDescription(describe(frame_));
  change();
}

void Timeline::set_exported(std::vector<ExportedFrames> exported) {
  if (exported == exported_) return;
  exported_ = std::move(exported);
  change();
}

void Timeline::set_flags(std::vector<FrameFlag> flags) {
  if (flags == flags_) return;
  flags_ = std::move(flags);
  setAccessibleDescription(describe(frame_));
  change();
}

void Timeline::set_people_shown(bool shown) {
  if (shown == people_shown_) return;
  people_shown_ = shown;
  updateGeometry();
  change();
}

FrameSummary Timeline::summary(int64_t frame) const {
  const auto index = static_cast<size_t>(std::max<int64_t>(0, frame - first_) / every_);
  return frame >= first_ && index < frames_.size() ? frames_[index] : FrameSummary{};
}

int Timeline::bottom() const {
  return people_shown_ ? kPeopleTop + kPeopleHeight - 6 : kRulerHeight + kStripHeight + 4;
}

void Timeline::set_range(const MarkedRange& range) {
  range_ = range;
  change();
}

void Timeline::set_pointed(std::optional<int64_t> frame) {
  if (frame == pointed_) return;
  pointed_ = frame;
  update();
}

ResultCounts Timeline::results_in(int64_t first, int64_t end) const {
  ResultCounts counts;
  for (int64_t frame = std::max<int64_t>(first, 0); frame < end; ++frame) {
    const FrameState state = summary(frame).state;
    counts.current += state == FrameState::current;
    counts.out_of_date += state == FrameState::out_of_date;
  }
  return counts;
}

std::optional<int64_t> Timeline::first_not_current(int64_t first, int64_t end) const {
  for (int64_t frame = std::max<int64_t>(first, 0); frame < end; ++frame)
    if (summary(frame).state != FrameState::current) return frame;
  return std::nullopt;
}

void Timeline::change() {
  picture_ = {};
  update();
}

// Colours, font.
void Timeline::changeEvent(QEvent* event) {
  change();
  QWidget::changeEvent(event);
}

QRectF Timeline::track() const {
  return QRectF(kLeft, 0, std::max(1, width() - kLeft - kRight), height());
}

double Timeline::x_of(int64_t frame) const {
  return axis_->x_of(static_cast<double>(frame), track().left(), track().width());
}

int64_t Timeline::frame_at(double x) const {
  return axis_->frame_at(x, track().left(), track().width());
}

// What lies under the playhead stays the same from frame to frame: a day's events and people are not gone
// through with each.
void Timeline::paintEvent(QPaintEvent*) {
  if (picture_.size() != size() * devicePixelRatioF() || picture_.devicePixelRatio() != devicePixelRatioF())
    draw_picture();
  QPainter painter(this);
  painter.drawPixmap(0, 0, picture_);
  if (empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(track().adjusted(-kTimelineMargin, 0, kTimelineMargin, 0));
  paint_pointed(painter);
  paint_playhead(painter);
}

void Timeline::draw_picture() {
  ++pictures_drawn_;
  picture_ = QPixmap(size() * devicePixelRatioF());
  picture_.setDevicePixelRatio(devicePixelRatioF());
  picture_.fill(palette().color(QPalette::Window));
  QPainter painter(&picture_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.setFont(sized(font(), TextSize::small));
  paint_labels(painter);
  if (empty()) return;
  paint_ruler(painter);
  paint_part(painter);
  painter.setClipRect(track().adjusted(-kTimelineMargin, 0, kTimelineMargin, 0));
  paint_strip(painter);
  paint_exported(painter);
  if (people_shown_) paint_people(painter);
  paint_events(painter);
  paint_flags(painter);
  paint_range(painter);
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
  const QRectF area = track();
  const QColor text = palette().color(QPalette::WindowText),
               line = palette().color(QPalette::PlaceholderText);
  const double px_per_frame = axis_->px_per_frame(area.width());
  painter.setPen(line);
  if (px_per_frame >= kFrameTick_px)
    for (double frame = std::ceil(axis_->left()); frame <= axis_->right(); ++frame) {
      const double x = axis_->x_of(frame, area.left(), area.width());
      painter.drawLine(QPointF(x, kRulerHeight - 3), QPointF(x, kRulerHeight - 1));
    }
  for (const RulerTick& tick : ruler_ticks(axis_->left() / rate, axis_->right() / rate, px_per_frame * rate,
                                           kTickLabel_px, times_.clock)) {
    const double x = axis_->x_of(tick.seconds * rate, area.left(), area.width());
    painter.setPen(line);
    painter.drawLine(QPointF(x, kRulerHeight - 5), QPointF(x, kRulerHeight - 1));
    painter.setPen(text);
    const double width = painter.fontMetrics().horizontalAdvance(tick.label);
    const double left = std::clamp(x - width / 2, area.left(), area.right() + kTimelineMargin - width);
    painter.drawText(QRectF(left, 0, width + 2, kRulerHeight - 5), Qt::AlignCenter, tick.label);
  }
}

// Nothing where all is seen.
void Timeline::paint_part(QPainter& painter) const {
  if (axis_->whole()) return;
  const QRectF area = track();
  const double px = area.width() / static_cast<double>(std::max<int64_t>(1, axis_->frames() - 1));
  const QRectF all(area.left(), height() - kPartHeight, area.width(), kPartHeight - 2);
  const double width = std::max(kMinPart_px, (axis_->right() - axis_->left()) * px);
  const double left = std::min(area.left() + (axis_->left() - static_cast<double>(axis_->first_frame())) * px,
                               area.right() - width);
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette().color(QPalette::AlternateBase));
  painter.drawRoundedRect(all, 2, 2);
  painter.setBrush(palette().color(QPalette::PlaceholderText));
  painter.drawRoundedRect(QRectF(left, all.top(), width, all.height()), 2, 2);
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
  const QColor current = tone(Tone::current, palette());
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
  QColor current = tone(Tone::current, palette()), old(kDoubtful);
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

QColor Timeline::color_of(EventStanding standing) const {
  if (standing == EventStanding::fresh) return tone(Tone::to_do, palette());
  if (standing == EventStanding::seen) return palette().color(QPalette::WindowText);
  return palette().color(QPalette::PlaceholderText);
}

// Marks of one pixel: a new one above one that was seen, that above a false alarm, which is hollow, and that
// above one that was exported, which the span below it shows.
void Timeline::paint_events(QPainter& painter) const {
  std::map<int, EventStanding> marks;
  for (const EventTick& event : events_) {
    if (!axis_->shows(static_cast<double>(event.frame))) continue;
    const auto [mark, first] = marks.try_emplace(qRound(x_of(event.frame)), event.standing);
    if (!first) mark->second = std::min(mark->second, event.standing);
  }
  constexpr double kTop = kRulerHeight - 4, kHigh = 7, kHalf = 3.5;
  for (const EventStanding standing :
       {EventStanding::exported, EventStanding::false_alarm, EventStanding::seen, EventStanding::fresh})
    for (const auto& [x, its] : marks) {
      if (its != standing) continue;
      const QColor color = color_of(standing);
      painter.setPen(QPen(color, standing == EventStanding::fresh ? 2 : 1));
      painter.drawLine(QPointF(x, kTop + kHigh), QPointF(x, kRulerHeight + kStripHeight / 2.0));
      painter.setPen(QPen(color, 1));
      painter.setBrush(standing == EventStanding::false_alarm ? QBrush(palette().color(QPalette::Window))
                                                              : QBrush(color));
      painter.drawPolygon(
          QPolygonF{{x - kHalf, kTop}, {x + kHalf, kTop}, {static_cast<double>(x), kTop + kHigh}});
    }
}

std::vector<const EventTick*> Timeline::events_near(int64_t frame) const {
  const double reach = kEventReach_px / axis_->px_per_frame(track().width());
  const auto before = [](const EventTick& event, double at) { return static_cast<double>(event.frame) < at; };
  const auto at = static_cast<double>(frame);
  std::vector<const EventTick*> near;
  for (auto event = std::lower_bound(events_.begin(), events_.end(), at - reach, before);
       event != events_.end() && static_cast<double>(event->frame) <= at + reach; ++event)
    near.push_back(&*event);
  return near;
}

QString Timeline::events_text(int64_t frame) const {
  const size_t count = events_near(frame).size();
  if (count == 0) return {};
  return tr(", %n events", nullptr, static_cast<int>(count));
}

void Timeline::paint_exported(QPainter& painter) const {
  const QRectF area = track();
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette().color(QPalette::WindowText));
  for (const ExportedFrames& one : exported_) {
    const double left = std::max(area.left(), x_of(one.first)),
                 right = std::min(area.right(), x_of(one.last));
    if (right < left) continue;
    painter.drawRect(QRectF(left, kRulerHeight + kStripHeight + 1, std::max(2.0, right - left), 2));
  }
}

// A pole from the ruler's top down to the results, with a pennant to its right.
void Timeline::paint_flags(QPainter& painter) const {
  const QColor color = tone(Tone::flag, palette());
  constexpr double kTop = 2, kHigh = 8, kLong = 9;
  for (const FrameFlag& flag : flags_) {
    if (!axis_->shows(static_cast<double>(flag.frame))) continue;
    const double x = x_of(flag.frame);
    painter.setPen(QPen(color, 1.5));
    painter.drawLine(QPointF(x, kTop), QPointF(x, kRulerHeight + kStripHeight / 2.0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{{x, kTop}, {x + kLong, kTop + kHigh / 2}, {x, kTop + kHigh}});
  }
}

void Timeline::paint_range(QPainter& painter) const {
  if (range_.empty()) return;
  const double left = x_of(range_.in.value_or(axis_->first_frame())),
               right = x_of(range_.out.value_or(axis_->end_frame() - 1));
  QColor fill(kSelection);
  fill.setAlpha(40);
  painter.fillRect(QRectF(left, kRulerHeight - 3, std::max(1.0, right - left), kStripHeight + 6), fill);
  painter.setPen(QPen(tone(Tone::chosen, palette()), 2));
  const double top = kRulerHeight - 4, bottom = kRulerHeight + kStripHeight + 4;
  if (range_.in)
    painter.drawPolyline(QPolygonF{{left + 5, top}, {left, top}, {left, bottom}, {left + 5, bottom}});
  if (range_.out)
    painter.drawPolyline(QPolygonF{{right - 5, top}, {right, top}, {right, bottom}, {right - 5, bottom}});
}

void Timeline::paint_playhead(QPainter& painter) const {
  const double x = x_of(std::clamp(frame_, axis_->first_frame(), axis_->end_frame() - 1));
  const QColor color = palette().color(QPalette::WindowText);
  painter.setPen(QPen(color, 1.5));
  painter.drawLine(QPointF(x, 6), QPointF(x, bottom()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF{{x - 6, 1}, {x + 6, 1}, {x, 9}});
}

void Timeline::paint_pointed(QPainter& painter) const {
  if (!pointed_ || !axis_->shows(static_cast<double>(*pointed_))) return;
  const double x = x_of(*pointed_);
  painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
  painter.drawLine(QPointF(x, 0), QPointF(x, height()));
}

void Timeline::seek_to(double x) {
  if (empty()) return;
  const int64_t wanted = frame_at(x);
  if (wanted == frame_) return;
  set_frame(wanted);
  emit seek_requested(wanted);
}

void Timeline::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  moving_ = !axis_->whole() && event->position().y() >= height() - kPartHeight;
  if (moving_) return move_part_to(event->position().x());
  dragging_ = true;
  seek_to(event->position().x());
}

// Its middle.
void Timeline::move_part_to(double x) {
  const double share = std::clamp((x - track().left()) / track().width(), 0.0, 1.0);
  const double half = (axis_->right() - axis_->left()) / 2,
               middle = static_cast<double>(axis_->first_frame()) +
                        share * static_cast<double>(axis_->frames() - 1);
  axis_->show(middle - half, middle + half);
}

void Timeline::wheelEvent(QWheelEvent* event) {
  if (empty()) return;
  axis_->turn(*event, static_cast<double>(frame_at(event->position().x())));
  event->accept();
}

void Timeline::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) dragging_ = moving_ = false;
}

// A hidden widget gets no release.
void Timeline::hideEvent(QHideEvent* event) {
  dragging_ = moving_ = false;
  QWidget::hideEvent(event);
}

void Timeline::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) dragging_ = moving_ = false;  // a dialog took the release
  if (moving_) move_part_to(event->position().x());
  if (dragging_) seek_to(event->position().x());
  if (!empty()) emit frame_pointed(frame_at(event->position().x()));
}

void Timeline::leaveEvent(QEvent* event) {
  emit frame_pointed(-1);
  QWidget::leaveEvent(event);
}

QString Timeline::describe(int64_t frame) const {
  const QString time = times_.frame_rate > 0 ? times_.text(frame) : QString();
  const FrameSummary here = summary(frame);
  const QString word = here.state == FrameState::current       ? tr("analysed")
                       : here.state == FrameState::out_of_date ? tr("out of date")
                                                               : tr("not analysed");
  const QString text = tr("frame %1, %2, %3").arg(frame).arg(time, word) +
                       (here.continued ? tr(", on the CPU after the GPU failed") : QString());
  const QString people = here.people < 0 ? QString() : tr(", %n people", nullptr, here.people);
  const bool flag = std::ranges::find(flags_, frame, &FrameFlag::frame) != flags_.end();
  return text + people + events_text(frame) + (flag ? tr(", bookmark") : QString());
}

// With what happened there, and what was handed over.
QString Timeline::tool_tip(int64_t frame) const {
  QStringList lines = {describe(frame)};
  const std::vector<const EventTick*> near = events_near(frame);
  for (size_t i = 0; i < std::min(near.size(), kToldEvents); ++i) {
    const EventTick& event = *near[i];
    const QString standing = event.standing == EventStanding::fresh      ? tr("new")
                             : event.standing == EventStanding::seen     ? tr("seen")
                             : event.standing == EventStanding::exported ? tr("exported")
                                                                         : tr("false alarm");
    lines << QStringLiteral("%1  %2 (%3)").arg(times_.text(event.frame), event.words, standing);
  }
  if (near.size() > kToldEvents) lines << tr("and %1 more").arg(near.size() - kToldEvents);
  const double reach = kEventReach_px / axis_->px_per_frame(track().width());
  for (const FrameFlag& flag : flags_)
    if (std::abs(static_cast<double>(flag.frame - frame)) <= reach)
      lines << tr("%1  bookmark: %2").arg(times_.text(flag.frame), flag.words);
  for (const ExportedFrames& one : exported_)
    if (frame >= one.first && frame <= one.last)
      lines << tr("%1 to %2: %3").arg(times_.text(one.first), times_.text(one.last), one.words);
  return lines.join('\n');
}

bool Timeline::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && !empty()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tool_tip(frame_at(help->pos().x())), this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace vantage::ui
