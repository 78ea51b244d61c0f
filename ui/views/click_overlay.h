// Clicked points in a camera's picture: a cross at each click, the way from it to where all clicks together
// place the point, and epipolar lines of the chosen point's clicks in other cameras.
#pragma once

#include <QPainter>
#include <QPolygonF>
#include <QString>
#include <QTransform>
#include <optional>
#include <vector>

namespace vantage::ui {

// In pixels of its camera's picture, whose (0, 0) is the centre of the first.
struct MarkedClick {
  int camera = 0;
  QString name;
  std::optional<QPointF> clicked;  // nothing: not clicked in this camera
  std::optional<QPointF> placed;   // nothing: fewer than two cameras' clicks
  bool chosen = false;
  bool doubtful = false;  // far from where the others place it
};

struct MarkedEpipolarCurve {
  int camera = 0;  // in whose picture it lies
  int of = 0;      // whose click it is of
  QPolygonF pixels;
};

struct MarkedClicks {
  std::vector<MarkedClick> clicks;
  std::vector<MarkedEpipolarCurve> curves;
};

// Clicks of one camera; `visible` is the part of its picture that is on the screen.
void draw_clicks(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible, int camera,
                 const MarkedClicks& marks);

}  // namespace vantage::ui
