#include "ui/widgets/track_lanes.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/widgets/colors.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {
namespace {

constexpr int kTrackRow = 20;
constexpr int kShownRows = 7;
constexpr double kReach_px = 5;

QColor chosen_color(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < 128 ? QColor(kSelection) : QColor(0xff8a7a00);
}

}  // namespace

TrackLanes::TrackLanes(const QString& name, const QString& empty, QWidget* parent)
    : QAbstractScrollArea(parent), empty_(empty) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  viewport()->setBackgroundRole(QPalette::Window);
  verticalScrollBar()->setSingleStep(kTrackRow);
  setAccessibleName(name);
}

QSize TrackLanes::sizeHint() const {
  return {400, kTrackRow * kShownRows};
}

void TrackLanes::set_lanes(std::vector<Lane> lanes, std::vector<LaneMark> marks) {
  lanes_ = std::move(lanes);
  marks_ = std::move(marks);
  update_scroll_bar();
  viewport()->update();
}

void TrackLanes::set_extent(int64_t first_frame, int64_t end_frame) {
  first_frame_ = first_frame, end_frame_ = end_frame;
  viewport()->update();
}

void TrackLanes::set_settled_end(std::optional<int64_t> frame) {
  settled_end_ = frame;
  viewport()->update();
}

void TrackLanes::set_frame(int64_t frame) {
  frame_ = frame;
  viewport()->update();
}

void TrackLanes::set_times(const FrameTimes& times) {
  times_ = times;
  const int row = row_of(chosen_.first);
  setAccessibleDescription(row < 0 ? QString() : describe(lanes_[static_cast<size_t>(row)]));
}

void TrackLanes::choose(const ChosenPeople& chosen) {
  if (chosen == chosen_) return;
  chosen_ = chosen;
  const int row = row_of(chosen.first);
  setAccessibleDescription(row < 0 ? QString() : describe(lanes_[static_cast<size_t>(row)]));
  if (row >= 0) {
    QScrollBar* bar = verticalScrollBar();
    const int top = row * kTrackRow;
    if (top < bar->value()) bar->setValue(top);
    if (top + kTrackRow > bar->value() + viewport()->height())
      bar->setValue(top + kTrackRow - viewport()->height());
  }
  viewport()->update();
}

QString TrackLanes::describe(const Lane& lane) const {
  QString text = tr("person %1, frames %2 to %3").arg(lane.id).arg(lane.first()).arg(lane.last());
  if (times_.frame_rate > 0)
    text += tr(" (%1 to %2)").arg(times_.text(lane.first()), times_.text(lane.last()));
  if (const size_t gaps = lane.seen.size() - 1; gaps > 0)
    text += gaps == 1 ? tr(", lost once in between") : tr(", lost %1 times in between").arg(gaps);
  if (lane.born) text += tr("; appeared in frame %1").arg(lane.first());
  if (lane.lost) text += tr("; lost after frame %1").arg(lane.last());
  return text;
}

double TrackLanes::x_of(double frame) const {
  const double width = std::max(1, QAbstractScrollArea::width() - Timeline::kLeft - Timeline::kRight);
  const auto last = static_cast<double>(end_frame_ - 1 - first_frame_);
  return Timeline::kLeft + (last > 0 ? width * (frame - static_cast<double>(first_frame_)) / last : 0.0);
}

int64_t TrackLanes::frame_at(double x) const {
  const double width = std::max(1, QAbstractScrollArea::width() - Timeline::kLeft - Timeline::kRight);
  const double share = std::clamp((x - Timeline::kLeft) / width, 0.0, 1.0);
  const int64_t last = std::max<int64_t>(end_frame_ - 1 - first_frame_, 0);
  return first_frame_ + std::llround(share * static_cast<double>(last));
}

int TrackLanes::row_at(int y) const {
  const int row = (y + verticalScrollBar()->value()) / kTrackRow;
  return row >= 0 && row < static_cast<int>(lanes_.size()) ? row : -1;
}

int TrackLanes::row_of(int64_t id) const {
  const auto found =
      std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& lane) { return lane.id == id; });
  return found == lanes_.end() ? -1 : static_cast<int>(found - lanes_.begin());
}

void TrackLanes::update_scroll_bar() {
  const int height = static_cast<int>(lanes_.size()) * kTrackRow;
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
}

void TrackLanes::resizeEvent(QResizeEvent*) {
  update_scroll_bar();
}

// ---- painting

void TrackLanes::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing);
  if (lanes_.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(10, 0, -10, 0), Qt::AlignCenter | Qt::TextWordWrap, empty_);
    return;
  }
  const int scrolled = verticalScrollBar()->value();
  for (int row = scrolled / kTrackRow; row < static_cast<int>(lanes_.size()); ++row) {
    const int top = row * kTrackRow - scrolled;
    if (top > viewport()->height()) break;
    paint_row(painter, row, top);
  }
  paint_unsettled(painter);
  painter.setPen(QPen(palette().color(QPalette::WindowText), 1.5));
  const double x = x_of(static_cast<double>(frame_));
  painter.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
}

// Over the lanes, so that their colours stay to be seen.
void TrackLanes::paint_unsettled(QPainter& painter) const {
  if (!settled_end_ || *settled_end_ >= end_frame_) return;
  const double left = x_of(static_cast<double>(std::max(*settled_end_, first_frame_))),
               right = x_of(static_cast<double>(end_frame_ - 1));
  QColor veil = palette().color(QPalette::Window);
  veil.setAlpha(110);
  const QRectF area(left, 0, right - left, viewport()->height());
  painter.fillRect(area, veil);
  painter.fillRect(area, QBrush(palette().color(QPalette::Mid), Qt::BDiagPattern));
}

void TrackLanes::paint_row(QPainter& painter, int row, int top) const {
  const Lane& lane = lanes_[static_cast<size_t>(row)];
  const QRectF area(0, top, viewport()->width(), kTrackRow);
  const bool first = lane.id == chosen_.first, second = lane.id == chosen_.second;
  if (first || second) {
    QColor fill = chosen_color(palette());
    fill.setAlpha(first ? 60 : 30);
    painter.fillRect(area, fill);
    painter.fillRect(QRectF(0, top, first ? 4 : 2, kTrackRow), chosen_color(palette()));
  }
  const QColor color = person_color(lane.id);
  const QRectF pill(Timeline::kLeft - 50, top + 2.5, 40, kTrackRow - 5);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRoundedRect(pill, 7, 7);
  painter.setPen(color.lightnessF() < 0.36F ? Qt::white : Qt::black);
  painter.drawText(pill, Qt::AlignCenter, QString::number(lane.id));
  const double middle = top + kTrackRow / 2.0;
  painter.setPen(QPen(palette().color(QPalette::Mid), 1));
  painter.drawLine(QPointF(Timeline::kLeft, middle),
                   QPointF(x_of(static_cast<double>(end_frame_ - 1)), middle));
  paint_runs(painter, lane, middle);
  painter.setPen(QPen(palette().color(QPalette::WindowText), 1.5));
  painter.setBrush(palette().color(QPalette::Window));
  for (const LaneMark& mark : marks_)
    if (mark.id == lane.id) {
      const QPointF at(x_of(static_cast<double>(mark.frame)), middle);
      painter.drawPolygon(
          QPolygonF{at - QPointF(0, 5), at + QPointF(5, 0), at + QPointF(0, 5), at - QPointF(5, 0)});
    }
}

// A bar where the person was found, dots where it was lost in between; a circle where it appeared, a cross
// where it was lost for good.
void TrackLanes::paint_runs(QPainter& painter, const Lane& lane, double middle) const {
  const QColor color = person_color(lane.id), ink = palette().color(QPalette::WindowText);
  for (size_t i = 0; i < lane.seen.size(); ++i) {
    const auto& [from, to] = lane.seen[i];
    const double left = x_of(static_cast<double>(from)),
                 right = std::max(left + 1.5, x_of(static_cast<double>(to)));
    painter.fillRect(QRectF(left, middle - 4, right - left, 8), color);
    if (i == 0) continue;
    const double before = x_of(static_cast<double>(lane.seen[i - 1].second));
    painter.setPen(QPen(ink, 1.5, Qt::DotLine));
    painter.drawLine(QPointF(before, middle), QPointF(left, middle));
    painter.setPen(QPen(ink, 1.5));
    painter.drawLine(QPointF(left, middle - 6), QPointF(left, middle + 6));
  }
  painter.setPen(QPen(ink, 1.5));
  painter.setBrush(palette().color(QPalette::Window));
  if (lane.born) painter.drawEllipse(QPointF(x_of(static_cast<double>(lane.first())), middle), 3.5, 3.5);
  if (!lane.lost) return;
  const double x = x_of(static_cast<double>(lane.last())) + 5;
  painter.drawLine(QPointF(x - 3.5, middle - 3.5), QPointF(x + 3.5, middle + 3.5));
  painter.drawLine(QPointF(x - 3.5, middle + 3.5), QPointF(x + 3.5, middle - 3.5));
}

// ---- hands

void TrackLanes::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const int row = row_at(static_cast<int>(event->position().y()));
  if (row >= 0) {
    const int64_t id = lanes_[static_cast<size_t>(row)].id;
    ChosenPeople chosen{id, 0};
    if ((event->modifiers() & Qt::ControlModifier) && chosen_.first > 0 && chosen_.first != id)
      chosen = {chosen_.first, id};
    choose(chosen);
    emit chosen_by_hand(chosen);
  }
  if (event->position().x() >= Timeline::kLeft && end_frame_ > first_frame_)
    emit seek_requested(frame_at(event->position().x()));
}

void TrackLanes::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) && event->position().x() >= Timeline::kLeft &&
      end_frame_ > first_frame_)
    emit seek_requested(frame_at(event->position().x()));
}

void TrackLanes::move_choice(int by, bool second) {
  if (lanes_.empty()) return;
  const int64_t from = second && chosen_.second > 0 ? chosen_.second : chosen_.first;
  const int last = static_cast<int>(lanes_.size()) - 1;
  const int now = row_of(from);
  const int row = now < 0 ? (by > 0 ? 0 : last) : std::clamp(now + by, 0, last);
  const int64_t id = lanes_[static_cast<size_t>(row)].id;
  ChosenPeople chosen{id, 0};
  if (second && chosen_.first > 0) chosen = {chosen_.first, id == chosen_.first ? 0 : id};
  choose(chosen);
  emit chosen_by_hand(chosen);
}

void TrackLanes::keyPressEvent(QKeyEvent* event) {
  const bool second = event->modifiers() & Qt::ShiftModifier;
  switch (event->key()) {
    case Qt::Key_Up:
      return move_choice(-1, second);
    case Qt::Key_Down:
      return move_choice(1, second);
    case Qt::Key_Left:
      emit step_requested(-1);
      return;
    case Qt::Key_Right:
      emit step_requested(1);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      emit follow_requested();
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

bool TrackLanes::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = row_at(help->pos().y());
  if (row < 0) return true;
  const Lane& lane = lanes_[static_cast<size_t>(row)];
  QString text = describe(lane);
  if (settled_end_ && lane.last() >= *settled_end_)
    text += tr("; from frame %1 on the ID may still change").arg(*settled_end_);
  for (const LaneMark& mark : marks_)
    if (mark.id == lane.id && std::abs(x_of(static_cast<double>(mark.frame)) - help->pos().x()) <= kReach_px)
      text = times_.frame_rate > 0 ? tr("%1, %2").arg(times_.text(mark.frame), mark.words) : mark.words;
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace vantage::ui
