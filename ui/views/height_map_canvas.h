// The reference camera's picture and its height map, side by side or blended: viridis over the labels'
// heights with a scale in metres at the right, no head transparent, pixels that still change hatched, heads
// ringed with their height. Pointing tells a pixel, a click (or Alt and the arrow keys) selects one.
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>

#include "core/pipeline/height_study.h"

namespace vantage::ui {

enum class HeightMapArrangement { side_by_side, blended };

class HeightMapCanvas final : public QWidget {
  Q_OBJECT
 public:
  explicit HeightMapCanvas(QWidget* parent = nullptr);

  void set_picture(const QImage& picture);  // another one forgets map and selection's belief
  void set_map(const HeightStudyMap& map);
  void clear();
  void set_arrangement(HeightMapArrangement arrangement);
  void set_hatched(bool on);
  void set_heads_shown(bool on);
  void set_hint(const QString& hint);  // over the picture, empty: none
  void select(std::optional<QPoint> pixel_px);

  std::optional<QPoint> selected() const { return selected_; }
  // Of a pixel of the picture: nothing outside, without a map, or where there is no head.
  std::optional<double> height_m(const QPoint& pixel_px) const;
  bool has_map() const { return map_.has_value(); }
  // Where a place of the widget lies in the picture.
  std::optional<QPoint> pixel_at(const QPointF& place) const;
  QRectF picture_area() const;  // the left one, or the only one

 signals:
  void pointed(const std::optional<QPoint>& pixel_px);
  void pixel_selected(const QPoint& pixel_px);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Areas {
    QRectF picture, map, scale;  // picture and map are one when blended
  };
  Areas areas() const;
  void choose(const QPoint& pixel_px);
  const QImage& scaled_picture(const QSize& size, bool dark);
  const QImage& map_layer(const QSize& size);
  void draw_heads(QPainter& painter, const QRectF& area) const;
  void draw_cross(QPainter& painter, const QRectF& area, const QPoint& pixel, QRgb color) const;
  void draw_scale(QPainter& painter, const QRectF& area) const;
  QPointF place_of(const QRectF& area, double x_px, double y_px) const;

  QImage picture_;
  std::optional<HeightStudyMap> map_;
  HeightMapArrangement arrangement_ = HeightMapArrangement::side_by_side;
  bool hatched_ = true, heads_shown_ = true;
  QString hint_;
  std::optional<QPoint> selected_, pointed_;
  QImage shown_picture_[2], shown_map_;  // at their size on screen; null: to be made
};

}  // namespace vantage::ui
