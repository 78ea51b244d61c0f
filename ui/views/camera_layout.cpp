#include "ui/views/camera_layout.h"

#include <algorithm>
#include <cmath>

namespace vantage::ui {
namespace {

QSizeF fitted(const QSizeF& picture, const QSizeF& room) {
  const double scale = std::min(room.width() / picture.width(), room.height() / picture.height());
  return picture * std::max(scale, 1e-6);
}

// Keeps the visible part inside the picture; a picture smaller than the cell stays in its middle.
PictureZoom kept_inside(const QRectF& cell, const QSizeF& picture, PictureZoom zoom) {
  zoom.zoom = std::clamp(zoom.zoom, 1.0, 32.0);
  const QSizeF shown = fitted(picture, cell.size()) * zoom.zoom;
  const auto limit = [](double center, double room, double size) {
    const double half = room / size / 2;
    return half >= 0.5 ? 0.5 : std::clamp(center, half, 1 - half);
  };
  zoom.center = {limit(zoom.center.x(), cell.width(), shown.width()),
                 limit(zoom.center.y(), cell.height(), shown.height())};
  return zoom;
}

}  // namespace

std::vector<QRectF> grid_cells(const QRectF& area, int count, double aspect, double gap) {
  std::vector<QRectF> cells;
  if (count <= 0) return cells;
  int best_columns = 1;
  double best_scale = -1;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const double width = (area.width() - gap * (columns - 1)) / columns,
                 height = (area.height() - gap * (rows - 1)) / rows;
    const double scale = std::min(width / aspect, height);
    if (scale > best_scale + 1e-9) {
      best_scale = scale;
      best_columns = columns;
    }
  }
  // One picture alone keeps the whole area to zoom into.
  if (count == 1) return {area};
  const int rows = (count + best_columns - 1) / best_columns;
  const QSizeF size(best_scale * aspect, best_scale);
  const QPointF corner = area.center() - QPointF(best_columns * size.width() + gap * (best_columns - 1),
                                                 rows * size.height() + gap * (rows - 1)) /
                                             2;
  for (int i = 0; i < count; ++i)
    cells.emplace_back(corner + QPointF((i % best_columns) * (size.width() + gap),
                                        (i / best_columns) * (size.height() + gap)),
                       size);
  return cells;
}

QRectF picture_rect(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom) {
  if (picture.isEmpty() || cell.isEmpty()) return cell;
  const PictureZoom kept = kept_inside(cell, picture, zoom);
  const QSizeF shown = fitted(picture, cell.size()) * kept.zoom;
  const QPointF corner =
      cell.center() - QPointF(kept.center.x() * shown.width(), kept.center.y() * shown.height());
  return {corner, shown};
}

PictureZoom zoomed_about(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom,
                         const QPointF& position, double factor) {
  if (picture.isEmpty() || cell.isEmpty()) return zoom;
  const QRectF before = picture_rect(cell, picture, zoom);
  const QPointF in_picture((position.x() - before.left()) / before.width(),
                           (position.y() - before.top()) / before.height());
  PictureZoom next{std::clamp(zoom.zoom * factor, 1.0, 32.0), {}};
  const QSizeF shown = fitted(picture, cell.size()) * next.zoom;
  const QPointF off_middle = position - cell.center();
  next.center = in_picture - QPointF(off_middle.x() / shown.width(), off_middle.y() / shown.height());
  return kept_inside(cell, picture, next);
}

PictureZoom panned(const QRectF& cell, const QSizeF& picture, const PictureZoom& zoom, const QPointF& by) {
  if (picture.isEmpty() || cell.isEmpty()) return zoom;
  const QSizeF shown = fitted(picture, cell.size()) * zoom.zoom;
  PictureZoom next = zoom;
  next.center -= QPointF(by.x() / shown.width(), by.y() / shown.height());
  return kept_inside(cell, picture, next);
}

}  // namespace vantage::ui
