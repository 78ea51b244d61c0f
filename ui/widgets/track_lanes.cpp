#include "ui/widgets/track_lanes.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/widgets/theme.h"
#include "ui/widgets/timeline.h"

namespace vantage::ui {
namespace {

constexpr int kTrackRow = 20;
constexpr int kShownRows = 7;
constexpr double kReach_px = 5;

}  // namespace

TrackLanes::TrackLanes(const QString& name, const QString& empty, QWidget* parent)
    : QAbstractScrollArea(parent), empty_(empty), own_(new TimeAxis(this)), axis_(nullptr) {
  share(nullptr);
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

void TrackLanes::set_lanes(std::vector<Lane> lanes, std::vector<LaneMark> marks, PersonNames names) {
  lanes_ = std::move(lanes);
  marks_ = std::move(marks);
  names_ = std::move(names);
  update_scroll_bar();
  redraw();
}

void TrackLanes::set_extent(int64_t first_frame, int64_t end_frame) {
  own_->set_extent(first_frame, end_frame);
}

void TrackLanes::share(TimeAxis* axis) {
  axis = axis ? axis : own_;
  if (axis == axis_) return;
  if (axis_) disconnect(axis_, nullptr, this, nullptr);
  axis_ = axis;
  connect(axis_, &TimeAxis::changed, this, &TrackLanes::redraw);
  redraw();
}

void TrackLanes::set_present_first(bool on) {
  present_first_ = on;
  order_rows();
}

bool TrackLanes::all_fit() const {
  return static_cast<int>(lanes_.size()) * kTrackRow <= viewport()->height();
}

// Both in the order of the lanes.
void TrackLanes::order_rows() {
  std::vector<size_t> rows(lanes_.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  int there = -1;
  if (present_first_ && !all_fit()) {
    const auto others =
        std::stable_partition(rows.begin(), rows.end(), [this](size_t i) { return is_there(lanes_[i]); });
    there = static_cast<int>(others - rows.begin());
  }
  viewport()->update();
  if (rows == rows_ && there == there_rows_) return;
  rows_ = std::move(rows);
  there_rows_ = there;
  redraw();
}

void TrackLanes::redraw() {
  picture_ = {};
  viewport()->update();
}

// Colours, font.
void TrackLanes::changeEvent(QEvent* event) {
  redraw();
  QAbstractScrollArea::changeEvent(event);
}

std::vector<int64_t> TrackLanes::order() const {
  std::vector<int64_t> ids;
  for (const size_t row : rows_) ids.push_back(lanes_[row].id);
  return ids;
}

void TrackLanes::set_settled_end(std::optional<int64_t> frame) {
  if (frame == settled_end_) return;
  settled_end_ = frame;
  redraw();
}

void TrackLanes::set_frame(int64_t frame) {
  frame_ = frame;
  own_->set_playhead(frame);
  order_rows();
}

void TrackLanes::set_times(const FrameTimes& times) {
  times_ = times;
  const int row = row_of(chosen_.first);
  setAccessibleDescription(row < 0 ? QString() : describe(lane_of(row)));
}

void TrackLanes::choose(const ChosenPeople& chosen) {
  if (chosen == chosen_) return;
  chosen_ = chosen;
  const int row = row_of(chosen.first);
  setAccessibleDescription(row < 0 ? QString() : describe(lane_of(row)));
  if (row >= 0) bring_into_view(row);
  redraw();
}

void TrackLanes::bring_into_view(int row) {
  QScrollBar* bar = verticalScrollBar();
  const int top = row * kTrackRow;
  if (top < bar->value()) bar->setValue(top);
  if (top + kTrackRow > bar->value() + viewport()->height())
    bar->setValue(top + kTrackRow - viewport()->height());
}

QString TrackLanes::describe(const Lane& lane) const {
  const auto name = names_.find(lane.id);
  QString text = tr("person %1").arg(lane.id);
  if (name != names_.end())
    text = tr("%1 (person %2)").arg(QString::fromStdString(name->second)).arg(lane.id);
  text += tr(", frames %1 to %2").arg(lane.first()).arg(lane.last());
  if (times_.frame_rate > 0)
    text += tr(" (%1 to %2)").arg(times_.text(lane.first()), times_.text(lane.last()));
  if (const size_t gaps = lane.seen.size() - 1; gaps > 0)
    text += gaps == 1 ? tr(", lost once in between") : tr(", lost %1 times in between").arg(gaps);
  if (lane.born) text += tr("; appeared in frame %1").arg(lane.first());
  if (lane.lost) text += tr("; lost after frame %1").arg(lane.last());
  return text;
}

double TrackLanes::track_px() const {
  return std::max(1, QAbstractScrollArea::width() - Timeline::kLeft - Timeline::kRight);
}

double TrackLanes::x_of(double frame) const {
  return axis_->x_of(frame, Timeline::kLeft, track_px());
}

int64_t TrackLanes::frame_at(double x) const {
  return axis_->frame_at(x, Timeline::kLeft, track_px());
}

int TrackLanes::row_at(int y) const {
  const int row = (y + verticalScrollBar()->value()) / kTrackRow;
  return row >= 0 && row < static_cast<int>(rows_.size()) ? row : -1;
}

int TrackLanes::row_of(int64_t id) const {
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [&](size_t lane) { return lanes_[lane].id == id; });
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

void TrackLanes::update_scroll_bar() {
  const int height = static_cast<int>(lanes_.size()) * kTrackRow;
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
  order_rows();
}

void TrackLanes::resizeEvent(QResizeEvent*) {
  update_scroll_bar();
}

// ---- painting

// What lies under the playhead stays the same from frame to frame: the lanes are drawn when they, their
// order, the part of the time or what is scrolled to change.
void TrackLanes::paintEvent(QPaintEvent*) {
  const double ratio = devicePixelRatioF();
  const int scrolled = verticalScrollBar()->value();
  if (picture_.size() != viewport()->size() * ratio || picture_.devicePixelRatio() != ratio ||
      scrolled != picture_scrolled_) {
    picture_scrolled_ = scrolled;
    draw_picture(ratio);
  }
  QPainter painter(viewport());
  painter.drawPixmap(0, 0, picture_);
  if (lanes_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(on_track());
  painter.setPen(QPen(palette().color(QPalette::WindowText), 1.5));
  const double x = x_of(static_cast<double>(frame_));
  painter.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
}

void TrackLanes::draw_picture(double ratio) {
  ++pictures_drawn_;
  picture_ = QPixmap(viewport()->size() * ratio);
  picture_.setDevicePixelRatio(ratio);
  picture_.fill(palette().color(QPalette::Window));
  QPainter painter(&picture_);
  painter.setFont(font());
  painter.setRenderHint(QPainter::Antialiasing);
  if (lanes_.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(10, 0, -10, 0), Qt::AlignCenter | Qt::TextWordWrap, empty_);
    return;
  }
  const int scrolled = picture_scrolled_;
  for (int row = scrolled / kTrackRow; row < static_cast<int>(rows_.size()); ++row) {
    const int top = row * kTrackRow - scrolled;
    if (top > viewport()->height()) break;
    paint_row(painter, row, top);
  }
  painter.setClipRect(on_track());
  paint_unsettled(painter);
}

// What is drawn at its ends reaches beyond it.
QRectF TrackLanes::on_track() const {
  constexpr double kBeyond_px = 8;
  return QRectF(Timeline::kLeft - kBeyond_px, 0, track_px() + 2 * kBeyond_px, viewport()->height());
}

// Over the lanes, so that their colours stay to be seen.
void TrackLanes::paint_unsettled(QPainter& painter) const {
  if (!settled_end_ || *settled_end_ >= axis_->end_frame()) return;
  const double left = x_of(static_cast<double>(std::max(*settled_end_, axis_->first_frame()))),
               right = x_of(static_cast<double>(axis_->end_frame() - 1));
  QColor veil = palette().color(QPalette::Window);
  veil.setAlpha(110);
  const QRectF area(left, 0, right - left, viewport()->height());
  painter.fillRect(area, veil);
  painter.fillRect(area, QBrush(palette().color(QPalette::Mid), Qt::BDiagPattern));
}

void TrackLanes::paint_row(QPainter& painter, int row, int top) const {
  const Lane& lane = lane_of(row);
  const QRectF area(0, top, viewport()->width(), kTrackRow);
  const bool first = lane.id == chosen_.first, second = lane.id == chosen_.second;
  if (first || second) {
    QColor fill = tone(Tone::chosen, palette());
    fill.setAlpha(first ? 60 : 30);
    painter.fillRect(area, fill);
    painter.fillRect(QRectF(0, top, first ? 4 : 2, kTrackRow), tone(Tone::chosen, palette()));
  }
  const QColor color = person_color(lane.id);
  if (row > 0 && row == there_rows_) {  // those below are not there now
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DashLine));
    painter.drawLine(QPointF(0, top), QPointF(area.right(), top));
  }
  const auto name = names_.find(lane.id);
  const bool named = name != names_.end();
  const double width = named ? Timeline::kNameWidth : 40;
  const QRectF pill(Timeline::kLeft - 10 - width, top + 2.5, width, kTrackRow - 5);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRoundedRect(pill, 7, 7);
  painter.setPen(ink_on(color));
  const QString label = named ? QString::fromStdString(name->second) : QString::number(lane.id);
  painter.drawText(
      pill, Qt::AlignCenter,
      painter.fontMetrics().elidedText(label, Qt::ElideRight, static_cast<int>(pill.width()) - 6));
  const double middle = top + kTrackRow / 2.0;
  painter.setPen(QPen(palette().color(QPalette::Mid), 1));
  painter.drawLine(QPointF(Timeline::kLeft, middle), QPointF(Timeline::kLeft + track_px(), middle));
  painter.save();
  painter.setClipRect(on_track());
  paint_runs(painter, lane, middle);
  painter.setPen(QPen(palette().color(QPalette::WindowText), 1.5));
  painter.setBrush(palette().color(QPalette::Window));
  for (const LaneMark& mark : marks_)
    if (mark.id == lane.id && axis_->shows(static_cast<double>(mark.frame))) {
      const QPointF at(x_of(static_cast<double>(mark.frame)), middle);
      painter.drawPolygon(
          QPolygonF{at - QPointF(0, 5), at + QPointF(5, 0), at + QPointF(0, 5), at - QPointF(5, 0)});
    }
  painter.restore();
}

// A bar where the person was found, dots where it was lost in between; a circle where it appeared, a cross
// where it was lost for good.
void TrackLanes::paint_runs(QPainter& painter, const Lane& lane, double middle) const {
  const QColor color = person_color(lane.id), ink = palette().color(QPalette::WindowText);
  // Runs are drawn from the one before the visible part to the one after it: a day has tens of thousands.
  auto run = std::partition_point(lane.seen.begin(), lane.seen.end(), [this](const auto& one) {
    return static_cast<double>(one.second) < axis_->left();
  });
  std::optional<double> before;  // where the last one ended
  if (run != lane.seen.begin()) before = x_of(static_cast<double>(std::prev(run)->second));
  // Rectangles, all at once: a pen with dots takes a hundred times as long, and an hour has thousands of
  // them.
  QList<QRectF> inked, bars;
  for (; run != lane.seen.end(); ++run) {
    const double left = x_of(static_cast<double>(run->first));
    if (before) {
      const double end = std::min(left, Timeline::kLeft + track_px() + kReach_px);
      for (double x = std::max(*before, Timeline::kLeft - kReach_px) + 1.5; x < end - 1.5; x += 4.5)
        inked << QRectF(x, middle - 0.75, 1.5, 1.5);
      inked << QRectF(left - 0.75, middle - 6, 1.5, 12);
    }
    if (static_cast<double>(run->first) > axis_->right()) break;
    double right = std::max(left + 1.5, x_of(static_cast<double>(run->second)));
    // Runs that follow within a pixel are one.
    while (std::next(run) != lane.seen.end() &&
           x_of(static_cast<double>(std::next(run)->first)) < right + 1) {
      ++run;
      right = std::max(right, x_of(static_cast<double>(run->second)));
    }
    const double from = std::max<double>(left, Timeline::kLeft),
                 to = std::min(right, Timeline::kLeft + track_px());
    if (to > from) bars << QRectF(from, middle - 4, to - from, 8);
    before = right;
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRects(bars);
  painter.setBrush(ink);
  painter.drawRects(inked);
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
    const int64_t id = lane_of(row).id;
    ChosenPeople chosen{id, 0};
    if ((event->modifiers() & Qt::ControlModifier) && chosen_.first > 0 && chosen_.first != id)
      chosen = {chosen_.first, id};
    choose(chosen);
    emit chosen_by_hand(chosen);
  }
  if (event->position().x() >= Timeline::kLeft && axis_->frames() > 0)
    emit seek_requested(frame_at(event->position().x()));
}

void TrackLanes::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) && event->position().x() >= Timeline::kLeft && axis_->frames() > 0)
    emit seek_requested(frame_at(event->position().x()));
}

void TrackLanes::move_choice(int by, bool second) {
  if (lanes_.empty()) return;
  const int64_t from = second && chosen_.second > 0 ? chosen_.second : chosen_.first;
  const int last = static_cast<int>(rows_.size()) - 1;
  const int now = row_of(from);
  const int row = now < 0 ? (by > 0 ? 0 : last) : std::clamp(now + by, 0, last);
  const int64_t id = lane_of(row).id;
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

void TrackLanes::wheelEvent(QWheelEvent* event) {
  const bool sideways = std::abs(event->angleDelta().x()) > std::abs(event->angleDelta().y());
  if (!sideways && !(event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)))
    return QAbstractScrollArea::wheelEvent(event);
  if (axis_->frames() > 0) axis_->turn(*event, static_cast<double>(frame_at(event->position().x())));
  event->accept();
}

// For the lane under the pointer, which it chooses; by the key for the chosen one.
void TrackLanes::contextMenuEvent(QContextMenuEvent* event) {
  const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
  const int row = by_key ? row_of(chosen_.first) : row_at(event->pos().y());
  if (row < 0) return;
  const int top = row * kTrackRow - verticalScrollBar()->value();
  emit menu_requested(lane_of(row).id, by_key
                                           ? viewport()->mapToGlobal(QPoint(Timeline::kLeft, top + kTrackRow))
                                           : event->globalPos());
}

bool TrackLanes::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = row_at(help->pos().y());
  if (row < 0) return true;
  const Lane& lane = lane_of(row);
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
