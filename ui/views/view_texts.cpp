#include "ui/views/view_texts.h"

#include <QWidget>
#include <algorithm>
#include <cstdlib>

#include "ui/widgets/theme.h"

namespace vantage::ui {

ViewPainter::ViewPainter(const QWidget& widget) : device_(widget.size() * widget.devicePixelRatioF()) {
  device_.setDevicePixelRatio(widget.devicePixelRatioF());
  painter_.begin(&device_);
  painter_.setFont(widget.font());
  painter_.setRenderHint(QPainter::Antialiasing);
}

QRectF draw_label(QPainter& painter, const QPointF& corner, const QString& text, const QColor& square,
                  double max_width) {
  const QFontMetricsF metrics(painter.font());
  const double mark = square.isValid() ? 16 : 0;
  const QString shown = metrics.elidedText(text, Qt::ElideRight, std::max(20.0, max_width - mark - 14));
  const QRectF box(corner, QSizeF(metrics.horizontalAdvance(shown) + mark + 14, metrics.height() + 6));
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, 150));
  painter.drawRoundedRect(box, 4, 4);
  if (square.isValid()) {
    painter.setBrush(square);
    painter.drawRect(QRectF(box.left() + 7, box.center().y() - 5, 10, 10));
  }
  painter.setPen(Qt::white);
  painter.drawText(box.adjusted(7 + mark, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, shown);
  return box;
}

void draw_details(QPainter& painter, const QRectF& area, const QStringList& lines) {
  if (lines.isEmpty()) return;
  const QFont before = painter.font();
  const QFont font = sized(before, TextSize::small);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  QStringList shown;
  double width = 0;
  for (const QString& line : lines) {
    shown << metrics.elidedText(line, Qt::ElideRight, std::max(20.0, area.width() - 12));
    width = std::max(width, metrics.horizontalAdvance(shown.last()));
  }
  const double height = metrics.lineSpacing() * static_cast<double>(shown.size());
  const double top = area.bottom() - height - 6;
  const QRectF box(area.left(), top, width + 12, height + 6);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, 150));
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(QColor(kViewText));
  painter.drawText(box.adjusted(6, 3, -6, -3), Qt::AlignLeft | Qt::AlignTop | Qt::TextDontClip,
                   shown.join('\n'));
  painter.setFont(before);
}

void draw_empty_state(QPainter& painter, const QRectF& area, const QString& text) {
  painter.setPen(QColor(kQuietText));
  painter.drawText(area.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void draw_notice(QPainter& painter, const QRectF& area, const QString& text) {
  constexpr int kFlags = Qt::AlignCenter | Qt::TextWordWrap;
  const QRectF words = painter.boundingRect(area.adjusted(24, 40, -24, -24), kFlags, text);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, 190));
  painter.drawRoundedRect(words.adjusted(-10, -6, 10, 6), 4, 4);
  painter.setPen(Qt::white);
  painter.drawText(words, kFlags, text);
}

void draw_no_picture(QPainter& painter, const QRectF& area) {
  painter.fillRect(area, QColor(kNoPicture));
}

void draw_missing(QPainter& painter, const QRectF& area, const QString& text) {
  painter.fillRect(area, QColor(kNoPicture));
  painter.fillRect(area, QBrush(QColor(kMissingHatch), Qt::BDiagPattern));
  draw_empty_state(painter, area, text);
}

void draw_haloed(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& color) {
  painter.setPen(QColor(0, 0, 0, 170));
  for (const QPointF by : {QPointF(-1, 0), QPointF(1, 0), QPointF(0, -1), QPointF(0, 1)})
    painter.drawText(baseline + by, text);
  painter.setPen(color);
  painter.drawText(baseline, text);
}

std::optional<QRectF> free_position(const QRectF& wanted, std::span<const QRectF> taken, int lines_up) {
  const double step = (lines_up < 0 ? 1 : -1) * (wanted.height() + 1);
  for (int line = 0; line <= std::abs(lines_up); ++line) {
    const QRectF position = wanted.translated(0, line * step);
    if (std::none_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(position); }))
      return position;
  }
  return std::nullopt;
}

}  // namespace vantage::ui
