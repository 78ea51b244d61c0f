// Words drawn over pictures and the scene: readable on any background, never over the edge.
#pragma once

#include <QColor>
#include <QOpenGLPaintDevice>
#include <QPainter>
#include <QStringList>
#include <optional>
#include <span>

namespace vantage::ui {

// A painter on the framebuffer that is bound, for words over a widget's OpenGL picture. (A painter on the
// widget itself would miss the framebuffer whenever the window is drawn into a picture.)
class ViewPainter {
 public:
  explicit ViewPainter(const QWidget& widget);
  QPainter& operator*() { return painter_; }

 private:
  QOpenGLPaintDevice device_;
  QPainter painter_;
};

// A dark rounded label at `corner`, with a colour square in front when `square` is valid. Returns its
// rectangle.
QRectF draw_label(QPainter& painter, const QPointF& corner, const QString& text, const QColor& square,
                  double max_width);
// Small lines on a dark ground, in the lower left corner of an area.
void draw_details(QPainter& painter, const QRectF& area, const QStringList& lines);
// Grey words in the middle of an area, wrapped.
void draw_empty_state(QPainter& painter, const QRectF& area, const QString& text);
// The same in white on a dark ground, over a picture.
void draw_notice(QPainter& painter, const QRectF& area, const QString& text);
// A plain area in place of a picture that there never was.
void draw_no_picture(QPainter& painter, const QRectF& area);
// In place of a picture whose video is missing: hatched, with what is said about it.
void draw_missing(QPainter& painter, const QRectF& area, const QString& text);
// Text with a 1 px black halo.
void draw_haloed(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& color);
// The position of a label that gives way to those already placed: as wanted, or up to so many lines higher,
// of a negative number lower. None: it is left out.
std::optional<QRectF> free_position(const QRectF& wanted, std::span<const QRectF> taken, int lines_up);

}  // namespace vantage::ui
