#include "ui/views/mask_overlay.h"

#include <algorithm>

#include "core/metrics/masks/mask_painting.h"
#include "ui/widgets/colors.h"

namespace vantage::ui {
namespace {

constexpr int kTintOfMask = 90;  // of 255: the picture shows through
constexpr int kTintOfOne = 150, kStripe_px = 3;
constexpr double kMaskCorner_px = 3.5;

void draw_outlined(QPainter& painter, const QPolygonF& line, bool closed, Qt::PenStyle style) {
  painter.setBrush(Qt::NoBrush);
  for (const QPen& pen : {QPen(QColor(0, 0, 0, 190), 3.5), QPen(QColor(kSelection), 1.5, style)}) {
    painter.setPen(pen);
    closed ? painter.drawPolygon(line) : painter.drawPolyline(line);
  }
}

void draw_brush(QPainter& painter, const QTransform& widget_from_picture, const MarkedBrush& brush) {
  const double scale = widget_from_picture.m11();
  const QPointF at = widget_from_picture.map(brush.at);
  const double radius = std::max(1.5, brush.radius_px * scale);
  painter.setBrush(Qt::NoBrush);
  for (const QPen& pen :
       {QPen(QColor(0, 0, 0, 190), 3), QPen(Qt::white, 1.2, brush.erases ? Qt::DashLine : Qt::SolidLine)}) {
    painter.setPen(pen);
    painter.drawEllipse(at, radius, radius);
  }
}

}  // namespace

QImage painted_mask(const ImageView<const uint8_t>& mask) {
  QImage image(mask.width, mask.height, QImage::Format_ARGB32_Premultiplied);
  const QColor color(kSelection);
  const QRgb edge = qPremultiply(qRgba(color.red(), color.green(), color.blue(), 255));
  const QRgb tint = qPremultiply(qRgba(color.red(), color.green(), color.blue(), kTintOfMask));
  const auto inside = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < mask.width && y < mask.height && mask.row(y)[x] > kMaskThreshold;
  };
  for (int y = 0; y < mask.height; ++y) {
    auto* to = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < mask.width; ++x) {
      if (mask.row(y)[x] <= kMaskThreshold)
        to[x] = 0;
      else
        to[x] = inside(x - 1, y) && inside(x + 1, y) && inside(x, y - 1) && inside(x, y + 1) ? tint : edge;
    }
  }
  return image;
}

QImage compared_masks(const ImageView<const uint8_t>& ours, const ImageView<const uint8_t>& theirs) {
  QImage image = painted_mask(ours);
  const auto tint = [](QRgb color) {
    return qPremultiply(qRgba(qRed(color), qGreen(color), qBlue(color), kTintOfOne));
  };
  const QRgb only_ours = tint(kDoubtful), only_theirs = tint(kForegroundOverlay);
  for (int y = 0; y < ours.height; ++y) {
    auto* to = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < ours.width; ++x) {
      const bool our = ours.row(y)[x] > kMaskThreshold, their = theirs.row(y)[x] > kMaskThreshold;
      if (our && !their) to[x] = only_ours;
      if (their && !our) to[x] = (x + y) / kStripe_px % 2 == 0 ? only_theirs : 0;
    }
  }
  return image;
}

void draw_painted_mask(QPainter& painter, const QTransform& widget_from_picture, const QRectF& picture,
                       const QRectF& visible, int camera, const PaintedMasks& painted) {
  const auto index = static_cast<size_t>(camera);
  painter.save();
  painter.setClipRect(visible, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  if (index < painted.masks.size() && !painted.masks[index].isNull())
    painter.drawImage(picture, painted.masks[index]);
  if (painted.polygon_camera == camera && !painted.polygon.isEmpty()) {
    const QPolygonF corners = widget_from_picture.map(painted.polygon);
    draw_outlined(painter, corners, false, Qt::SolidLine);
    if (corners.size() > 2) draw_outlined(painter, {corners.last(), corners.first()}, false, Qt::DashLine);
    painter.setBrush(QColor(kSelection));
    painter.setPen(QPen(Qt::black, 1));
    for (const QPointF& corner : corners) painter.drawEllipse(corner, kMaskCorner_px, kMaskCorner_px);
  }
  if (painted.brush && painted.brush->camera == camera)
    draw_brush(painter, widget_from_picture, *painted.brush);
  painter.restore();
}

}  // namespace vantage::ui
