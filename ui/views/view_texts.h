// Text over pictures and the scene: readable on any background, always inside the view.
#pragma once

#include <QColor>
#include <QOpenGLPaintDevice>
#include <QPainter>
#include <QStringList>
#include <optional>
#include <span>

namespace vantage::ui {

// A painter on the bound framebuffer, for text over a widget's OpenGL picture. (A painter on the widget
// itself would miss the framebuffer whenever the window is rendered into a picture.)
class ViewPainter {
 public:
  explicit ViewPainter(const QWidget& widget);
  QPainter& operator*() { return painter_; }

 private:
  QOpenGLPaintDevice device_;
  QPainter painter_;
};

// Draws a dark rounded label at `corner`, with a colour square in front if `square` is valid. Returns its
// rectangle.
QRectF draw_label(QPainter& painter, const QPointF& corner, const QString& text, const QColor& square,
                  double max_width);
// Small lines on a dark background, in the lower left corner of an area.
void draw_details(QPainter& painter, const QRectF& area, const QStringList& lines);
// Grey text in the middle of an area, wrapped.
void draw_empty_state(QPainter& painter, const QRectF& area, const QString& text);
// The same in white on a dark background, over a picture.
void draw_notice(QPainter& painter, const QRectF& area, const QString& text);
// A plain area where there is no picture by design.
void draw_no_picture(QPainter& painter, const QRectF& area);
// A hatched area for a missing video, with a text.
void draw_missing(QPainter& painter, const QRectF& area, const QString& text);
// Text with a 1 px black halo.
void draw_haloed(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& color);
// The position of a label that avoids those already placed: as requested, or up to so many lines higher
// (negative: lower). Nothing: it is left out.
std::optional<QRectF> free_position(const QRectF& wanted, std::span<const QRectF> taken, int lines_up);

}  // namespace vantage::ui
