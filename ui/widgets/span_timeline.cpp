#include "ui/widgets/span_timeline.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/widgets/numbers.h"
#include "ui/widgets/plot_axes.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kNewest_ns = 250e6;
constexpr double kShortest_ns = 2e3;
constexpr int kSpanRow = 15, kLaneGap = 3, kAxis = 18;
constexpr double kMaxNames = 0.4;  // of the width

// A colour a name, the same in every lane; Okabe and Ito's, next to the name itself.
QColor color_of(const TraceSpan& span) {
  if (span.kind == SpanKind::wait) return QColor(kRejected);
  static constexpr std::array<QRgb, 7> colors = {0xffe69f00, 0xff56b4e9, 0xff009e73, 0xfff0e442,
                                                 0xff4a90c4, 0xffd55e00, 0xffcc79a7};
  return QColor(colors[std::hash<std::string>()(span.name) % colors.size()]);
}

QString nanoseconds_text(double ns) {
  const double size = std::abs(ns);
  if (ns == 0) return QStringLiteral("0");
  if (size < 1e3) return number_text(ns, 'f', 0) + " ns";
  if (size < 1e6) return number_text(ns / 1e3, 'g', 4) + " \u00b5s";
  if (size < 1e9) return number_text(ns / 1e6, 'g', 4) + " ms";
  return number_text(ns / 1e9, 'g', 5) + " s";
}

bool same_span(const TraceSpan& a, const TraceSpan& b) {
  return a.start_ns == b.start_ns && a.duration_ns == b.duration_ns && a.name == b.name && a.lane == b.lane;
}

}  // namespace

SpanTimeline::SpanTimeline(QWidget* parent) : QAbstractScrollArea(parent) {
  setAccessibleName(tr("Timeline of the timings"));
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  setMinimumHeight(120);
  setFont(sized(font(), TextSize::small));
}

void SpanTimeline::set_spans(std::vector<TraceSpan> spans) {
  spans_ = std::move(spans);
  lanes_ = lanes_of(spans_, cameras_);
  if (following_) follow();
  update_scroll();
  viewport()->update();
}

void SpanTimeline::set_cameras(std::vector<std::string> names) {
  cameras_ = std::move(names);
  lanes_ = lanes_of(spans_, cameras_);
  viewport()->update();
}

void SpanTimeline::follow() {
  int64_t end = 0;
  for (const TraceSpan& span : spans_) end = std::max(end, span.start_ns + span.duration_ns);
  const double shown = following_ ? std::max(shown_ns(), kShortest_ns) : kNewest_ns;
  set_range(static_cast<double>(end) - (spans_.empty() || shown >= 1e9 ? kNewest_ns : shown),
            static_cast<double>(end), true);
}

void SpanTimeline::show_all() {
  if (spans_.empty()) return;
  int64_t begin = spans_.front().start_ns, end = begin;
  for (const TraceSpan& span : spans_) {
    begin = std::min(begin, span.start_ns);
    end = std::max(end, span.start_ns + span.duration_ns);
  }
  set_range(static_cast<double>(begin), static_cast<double>(std::max(end, begin + 1)), false);
}

void SpanTimeline::set_range(double begin_ns, double end_ns, bool following) {
  begin_ns_ = begin_ns;
  end_ns_ = std::max(end_ns, begin_ns + kShortest_ns);
  if (std::exchange(following_, following) != following) emit following_changed(following);
  viewport()->update();
}

void SpanTimeline::zoom(double factor, double at_x) {
  const double at = time_at(at_x);
  set_range(at + (begin_ns_ - at) * factor, at + (end_ns_ - at) * factor, false);
}

void SpanTimeline::move(double by_ns) {
  set_range(begin_ns_ + by_ns, end_ns_ + by_ns, false);
}

double SpanTimeline::names_width() const {
  double width = 40;
  for (const TraceLane& lane : lanes_)
    width = std::max(width, fontMetrics().horizontalAdvance(QString::fromStdString(lane.name)) + 10.0);
  return std::min(width, kMaxNames * viewport()->width());
}

double SpanTimeline::x_of(double time_ns) const {
  const double left = names_width();
  return left + (time_ns - begin_ns_) / (end_ns_ - begin_ns_) * (viewport()->width() - left);
}

double SpanTimeline::time_at(double x) const {
  const double left = names_width();
  return begin_ns_ + (x - left) / std::max(1.0, viewport()->width() - left) * (end_ns_ - begin_ns_);
}

double SpanTimeline::lane_height(const TraceLane& lane) const {
  return lane.rows * kSpanRow + kLaneGap;
}

void SpanTimeline::update_scroll() {
  double height = kAxis;
  for (const TraceLane& lane : lanes_) height += lane_height(lane);
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(kSpanRow);
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(height) - viewport()->height()));
}

void SpanTimeline::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  update_scroll();
}

void SpanTimeline::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), palette().base());
  if (spans_.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("No timings yet."));
    return;
  }
  double top = kAxis - verticalScrollBar()->value();
  for (const TraceLane& lane : lanes_) {
    if (top + lane_height(lane) > kAxis && top < viewport()->height()) draw_lane(painter, lane, top);
    top += lane_height(lane);
  }
  draw_axis(painter);
}

// Times count from the left border: it is differences that are searched for.
void SpanTimeline::draw_axis(QPainter& painter) const {
  painter.fillRect(0, 0, viewport()->width(), kAxis, palette().window());
  painter.setPen(palette().color(QPalette::WindowText));
  const double left = names_width();
  painter.drawText(QRectF(4, 0, left - 8, kAxis), Qt::AlignVCenter | Qt::AlignLeft,
                   nanoseconds_text(shown_ns()));
  const int count = std::max(2, static_cast<int>((viewport()->width() - left) / 80));
  for (const double tick : round_ticks(0, shown_ns(), count)) {
    const double x = x_of(begin_ns_ + tick);
    painter.drawLine(QPointF(x, kAxis - 4), QPointF(x, kAxis));
    painter.drawText(QRectF(x + 3, 0, 80, kAxis - 1), Qt::AlignVCenter | Qt::AlignLeft,
                     nanoseconds_text(tick));
  }
}

void SpanTimeline::draw_lane(QPainter& painter, const TraceLane& lane, double top) const {
  const double left = names_width(), height = lane_height(lane);
  painter.setPen(palette().color(QPalette::Midlight));
  painter.drawLine(QPointF(0, top + height - 1), QPointF(viewport()->width(), top + height - 1));
  painter.save();
  painter.setClipRect(QRectF(left, kAxis, viewport()->width() - left, viewport()->height() - kAxis));
  double painted_to = -1;  // in the first row: what is narrower than a pixel is drawn once
  for (const TraceLane::Place& position : lane.spans) {
    const TraceSpan& span = spans_[position.span];
    const double x = x_of(static_cast<double>(span.start_ns));
    const double end = x_of(static_cast<double>(span.start_ns + span.duration_ns));
    if (end < left || x > viewport()->width()) continue;
    if (position.row == 0 && end - x < 1 && end < painted_to) continue;
    if (position.row == 0) painted_to = std::max(x + 1, end);
    draw_span(painter, QRectF(x, top + position.row * kSpanRow, std::max(1.0, end - x), kSpanRow - 1), span);
  }
  painter.restore();
  painter.fillRect(
      QRectF(0, std::max<double>(top, kAxis), left, top + height - 1 - std::max<double>(top, kAxis)),
      palette().base());
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(QRectF(4, top, left - 8, kSpanRow), Qt::AlignVCenter | Qt::AlignLeft,
                   fontMetrics().elidedText(QString::fromStdString(lane.name), Qt::ElideMiddle,
                                            static_cast<int>(left) - 8));
}

void SpanTimeline::draw_span(QPainter& painter, const QRectF& position, const TraceSpan& span) const {
  const QColor color = color_of(span);
  painter.fillRect(position, color);
  if (selected_ && same_span(*selected_, span)) {
    painter.setPen(QPen(palette().color(QPalette::Text), 2));
    painter.drawRect(position.adjusted(0, 0, -1, 0));
  }
  const QRectF inside =
      position.intersected(QRectF(viewport()->rect()).adjusted(names_width(), 0, 0, 0)).adjusted(3, 0, -2, 0);
  if (inside.width() < 24) return;
  painter.setPen(Qt::black);
  painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft,
                   fontMetrics().elidedText(QString::fromStdString(span.name), Qt::ElideRight,
                                            static_cast<int>(inside.width())));
}

std::optional<QRectF> SpanTimeline::place_of(size_t index) const {
  double top = kAxis - verticalScrollBar()->value();
  for (const TraceLane& lane : lanes_) {
    for (const TraceLane::Place& position : lane.spans) {
      if (position.span != index) continue;
      const TraceSpan& span = spans_[index];
      const double x = std::max(names_width(), x_of(static_cast<double>(span.start_ns)));
      const double end =
          std::min<double>(viewport()->width(), x_of(static_cast<double>(span.start_ns + span.duration_ns)));
      if (end < names_width() || x > viewport()->width()) return std::nullopt;
      return QRectF(x, top + position.row * kSpanRow, std::max(1.0, end - x), kSpanRow - 1);
    }
    top += lane_height(lane);
  }
  return std::nullopt;
}

// The narrowest span that the pointer is on, within a pixel.
std::optional<size_t> SpanTimeline::span_at(const QPointF& at) const {
  std::optional<size_t> found;
  double top = kAxis - verticalScrollBar()->value();
  for (const TraceLane& lane : lanes_) {
    const int row = static_cast<int>(std::floor((at.y() - top) / kSpanRow));
    top += lane_height(lane);
    if (row < 0 || row >= lane.rows || at.y() < kAxis || at.x() < names_width()) continue;
    for (const TraceLane::Place& position : lane.spans) {
      const TraceSpan& span = spans_[position.span];
      if (position.row != row || x_of(static_cast<double>(span.start_ns)) > at.x() + 1 ||
          x_of(static_cast<double>(span.start_ns + span.duration_ns)) < at.x() - 1)
        continue;
      if (!found || span.duration_ns < spans_[*found].duration_ns) found = position.span;
    }
  }
  return found;
}

void SpanTimeline::wheelEvent(QWheelEvent* event) {
  const double steps = (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
  if (event->modifiers().testFlag(Qt::ShiftModifier))
    move(-0.1 * steps * shown_ns());
  else
    zoom(std::pow(0.8, steps), event->position().x());
  event->accept();
}

void SpanTimeline::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = event->position();
  dragged_ = false;
}

void SpanTimeline::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) pressed_.reset();  // another window or page took the release
  if (!pressed_) return;
  const QPointF by = event->position() - *pressed_;
  if (!dragged_ && by.manhattanLength() < 4) return;
  dragged_ = true;
  pressed_ = event->position();
  move(-by.x() / std::max(1.0, viewport()->width() - names_width()) * shown_ns());
  verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(by.y()));
}

void SpanTimeline::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (!std::exchange(pressed_, std::nullopt) || dragged_) return;
  if (const std::optional<size_t> span = span_at(event->position())) {
    selected_ = spans_[*span];
    set_range(begin_ns_, end_ns_, false);  // stays to be seen
    emit span_selected(*selected_);
  }
}

// Keys that the window has for other commands.
bool SpanTimeline::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_0 &&
      static_cast<QKeyEvent*>(event)->modifiers() == Qt::NoModifier)
    event->accept();
  return QAbstractScrollArea::event(event);
}

void SpanTimeline::keyPressEvent(QKeyEvent* event) {
  const double middle = (names_width() + viewport()->width()) / 2;
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(0.7, middle);
    case Qt::Key_Minus:
      return zoom(1 / 0.7, middle);
    case Qt::Key_Left:
      return move(-0.2 * shown_ns());
    case Qt::Key_Right:
      return move(0.2 * shown_ns());
    case Qt::Key_0:
      return show_all();
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

bool SpanTimeline::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* const help = static_cast<QHelpEvent*>(event);
  if (const std::optional<size_t> index = span_at(help->pos())) {
    const TraceSpan& span = spans_[*index];
    QToolTip::showText(help->globalPos(), QString::fromStdString(span.name) + "  " +
                                              nanoseconds_text(static_cast<double>(span.duration_ns)));
  } else {
    QToolTip::showText(help->globalPos(),
                       tr("Wheel: zoom. Drag: move. Click: select. Keys: + \u2212 \u2190 \u2192 0"));
  }
  return true;
}

}  // namespace vantage::ui
