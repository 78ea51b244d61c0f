// Masks that are painted over the cameras' pictures: tinted, with a bright edge; the polygon that is being
// drawn, and the brush under the mouse.
#pragma once

#include <QImage>
#include <QPainter>
#include <QPolygonF>
#include <QTransform>
#include <optional>
#include <vector>

#include "core/image/image_view.h"

namespace vantage::ui {

// In pixels of its camera's picture, whose (0, 0) is the centre of the first.
struct MarkedBrush {
  int camera = 0;
  QPointF at;
  double radius_px = 0;
  bool erases = false;  // drawn dashed
};

struct PaintedMasks {
  std::vector<QImage> masks = {};  // by camera, as painted_mask() makes them; null: none
  int polygon_camera = -1;         // -1: no polygon is being drawn
  QPolygonF polygon = {};
  std::optional<MarkedBrush> brush = {};
  bool painting = false;  // the position that is pointed at is not marked: it would hide the brush
};

// Above 127 inside.
QImage painted_mask(const ImageView<const uint8_t>& mask);
// Masks of two painters: what is in both as painted_mask() tints it, what is only ours in orange, only theirs
// in blue stripes. Both of one size.
QImage compared_masks(const ImageView<const uint8_t>& ours, const ImageView<const uint8_t>& theirs);

// Masks of one camera; `picture` is where all of its picture lies in the widget, `visible` the part of that
// on the screen.
void draw_painted_mask(QPainter& painter, const QTransform& widget_from_picture, const QRectF& picture,
                       const QRectF& visible, int camera, const PaintedMasks& painted);

}  // namespace vantage::ui
