// The reference camera's picture and its height map, side by side or blended: viridis over the labels'
// heights with a scale in metres at the right, pixels without a head transparent, changing pixels hatched,
// heads ringed with their height. Pointing reports a pixel, a click (or Alt and the arrow keys) selects one.
// Picture and map come from the display surface, as in the cameras' view.
#pragma once

#include <optional>

#include "core/pipeline/height_study.h"
#include "ui/views/camera_painter.h"
#include "ui/views/gl_view.h"

namespace vantage::ui {

enum class HeightMapArrangement { side_by_side, blended };

class HeightMapCanvas final : public GlView {
  Q_OBJECT
 public:
  explicit HeightMapCanvas(SurfaceFactory surfaces, QWidget* parent = nullptr);
  ~HeightMapCanvas() override;

  // A camera's picture of a result; drops the previous one's map.
  void set_picture(const FrameResultRef& result, int reference);
  void set_map(const HeightStudyMap& map);
  void clear();
  void set_arrangement(HeightMapArrangement arrangement);
  void set_hatched(bool on);
  void set_heads_shown(bool on);
  void set_hint(const QString& hint);  // over the picture, empty: none
  void select(std::optional<QPoint> pixel_px);

  std::optional<QPoint> selected() const { return selected_; }
  // The height at a pixel of the picture: empty outside, without a map, or where there is no head.
  std::optional<double> height_m(const QPoint& pixel_px) const;
  bool has_map() const { return map_.has_value(); }
  // The pixel of the picture at a position of the widget.
  std::optional<QPoint> pixel_at(const QPointF& place) const;
  QRectF picture_area() const;  // the left one, or the only one

 signals:
  void pointed(const std::optional<QPoint>& pixel_px);
  void pixel_selected(const QPoint& pixel_px);

 protected:
  void paintGL() override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Areas {
    QRectF picture, map, scale;  // picture and map are one when blended
  };
  Areas areas() const;
  struct Texture {
    unsigned name = 0;
    DrawnSize size = {};
  };
  void make_gl() override;
  void release_gl() override;
  void choose(const QPoint& pixel_px);
  void show_only_picture(const FrameResultRef& result);
  void fill_textures();
  void draw_pictures();
  void draw_text(QPainter& painter);
  void draw_heads(QPainter& painter, const QRectF& area) const;
  void draw_cross(QPainter& painter, const QRectF& area, const QPoint& pixel, QRgb color) const;
  void draw_scale(QPainter& painter, const QRectF& area) const;
  QPointF place_of(const QRectF& area, double x_px, double y_px) const;

  CameraPainter painter_;
  Texture picture_, levels_, unsettled_;
  FrameResultRef result_, drawn_;            // shown, with its map; contents of the textures
  int reference_ = 0, drawn_reference_ = 0;  // whose picture
  QSize size_;                               // the picture's, px; empty: there is none
  std::optional<HeightStudyMap> map_;
  HeightMapArrangement arrangement_ = HeightMapArrangement::side_by_side;
  bool hatched_ = true, heads_shown_ = true;
  QString hint_;
  std::optional<QPoint> selected_, pointed_;
};

}  // namespace vantage::ui
