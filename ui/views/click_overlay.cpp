#include "ui/views/click_overlay.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include "ui/views/view_texts.h"
#include "ui/widgets/colors.h"

namespace vantage::ui {
namespace {

constexpr double kArm_px = 7, kGap_px = 2;  // of a cross, whose middle stays free to be seen
constexpr double kPlaced_px = 4;

void draw_haloed_path(QPainter& painter, const QPainterPath& path, const QColor& color, double width_px,
                      Qt::PenStyle style = Qt::SolidLine) {
  painter.strokePath(path, QPen(QColor(0, 0, 0, 190), width_px + 2));
  painter.strokePath(path, QPen(color, width_px, style));
}

QPainterPath cross_at(const QPointF& at) {
  QPainterPath path;
  for (const QPointF& arm : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)}) {
    path.moveTo(at + kGap_px * arm);
    path.lineTo(at + kArm_px * arm);
  }
  return path;
}

}  // namespace

void draw_clicks(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible, int camera,
                 const MarkedClicks& marks) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const MarkedEpipolarCurve& curve : marks.curves) {
    if (curve.camera != camera) continue;
    QPainterPath path;
    path.addPolygon(widget_from_picture.map(curve.pixels));
    draw_haloed_path(painter, path, camera_color(curve.of), 1);
  }
  const QFontMetricsF metrics(painter.font());
  for (const MarkedClick& click : marks.clicks) {
    if (click.camera != camera) continue;
    const QColor color(click.doubtful ? kFailed : click.chosen ? kSelection : kForegroundOverlay);
    std::optional<QPointF> at, placed;
    if (click.clicked) at = widget_from_picture.map(*click.clicked);
    if (click.placed) placed = widget_from_picture.map(*click.placed);
    if (at && placed) {
      QPainterPath off;
      off.moveTo(*at);
      off.lineTo(*placed);
      draw_haloed_path(painter, off, color, 1);
    }
    if (placed) {
      QPainterPath circle;
      circle.addEllipse(*placed, kPlaced_px, kPlaced_px);
      draw_haloed_path(painter, circle, color, 1);
    }
    if (at) draw_haloed_path(painter, cross_at(*at), color, click.chosen ? 2 : 1.5);
    const std::optional<QPointF> beside = at ? at : placed;
    if (beside && visible.contains(*beside))
      draw_haloed(painter, *beside + QPointF(kArm_px + 2, -metrics.descent() - 2), click.name, color);
  }
}

}  // namespace vantage::ui
