#include "ui/widgets/plot_view.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace vantage::ui {

PlotView::PlotView(const QString& name, const QString& hint, QWidget* parent) : QWidget(parent), hint_(hint) {
  setAccessibleName(name);
  setToolTip(name);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PlotView::set_content(PlotContent content) {
  content_ = std::move(content);
  bool any = false;
  for (const PlotLine& line : content_.lines)
    for (const QPointF& point : line.points) {
      if (point.x() < content_.low || point.x() > content_.high) continue;
      lowest_ = any ? std::min(lowest_, point.y()) : point.y();
      highest_ = any ? std::max(highest_, point.y()) : point.y();
      any = true;
    }
  if (!any || highest_ <= lowest_) highest_ = lowest_ + 1;
  QString description;
  for (const PlotMark& mark : content_.marks) description += (description.isEmpty() ? "" : ", ") + mark.text;
  setAccessibleDescription(description);
  update();
}

QPointF PlotView::place(const QPointF& value, const QRectF& area) const {
  const double x = (value.x() - content_.low) / (content_.high - content_.low);
  const double y = (value.y() - lowest_) / (highest_ - lowest_);
  return {area.left() + x * area.width(), area.bottom() - y * area.height()};
}

void PlotView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().base());
  const QColor quiet = palette().color(QPalette::PlaceholderText);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.85);
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  if (content_.lines.empty()) {
    painter.setPen(quiet);
    painter.drawText(rect().adjusted(6, 6, -6, -6), Qt::AlignCenter | Qt::TextWordWrap, hint_);
    return;
  }
  const QRectF area = QRectF(rect()).adjusted(4, metrics.height() + 4, -4, -metrics.height() - 4);
  painter.setPen(QPen(quiet, 1));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  const QRectF below(area.left(), area.bottom() + 2, area.width(), metrics.height());
  painter.drawText(below, Qt::AlignLeft, QString::number(content_.low, 'f', 0));
  painter.drawText(below, Qt::AlignRight, QString::number(content_.high, 'f', 0) + ' ' + content_.unit);
  painter.save();
  painter.setClipRect(area.adjusted(0, -1, 0, 1));
  for (const PlotLine& line : content_.lines) {
    QPainterPath path;
    for (size_t i = 0; i < line.points.size(); ++i) {
      const QPointF at = place(line.points[i], area);
      if (i == 0)
        path.moveTo(at);
      else
        path.lineTo(at);
    }
    painter.setPen(QPen(line.color, 1.5, line.style));
    painter.drawPath(path);
  }
  painter.restore();
  double row = 0;
  for (const PlotMark& mark : content_.marks) {
    if (mark.x < content_.low || mark.x > content_.high) continue;
    const double x = place({mark.x, lowest_}, area).x(), width = metrics.horizontalAdvance(mark.text);
    painter.setPen(QPen(mark.color, 1.2, mark.style));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const double left = std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width));
    painter.drawText(QPointF(left, area.top() - 3 + row * metrics.height()), mark.text);
    ++row;  // marks may stand at the same place
  }
}

}  // namespace vantage::ui
