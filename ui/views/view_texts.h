// Words drawn over pictures and the scene: readable on any background, never over the edge.
#pragma once

#include <QColor>
#include <QPainter>
#include <QString>

namespace vantage::ui {

// A dark rounded label at `corner`, with a colour square in front when `square` is valid. Returns its
// rectangle.
QRectF draw_label(QPainter& painter, const QPointF& corner, const QString& text, const QColor& square,
                  double max_width);
// Grey words in the middle of an area, wrapped.
void draw_empty_state(QPainter& painter, const QRectF& area, const QString& text);
// Text with a 1 px black halo.
void draw_haloed(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& color);

}  // namespace vantage::ui
