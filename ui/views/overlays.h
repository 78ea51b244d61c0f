// Optical flow over a camera's picture: colours for direction and length, arrows at a chosen spacing, the
// colour wheel that explains them, and the value at a pixel in words. Flows are in host memory.
#pragma once

#include <QImage>
#include <QPainter>
#include <QPolygonF>
#include <QString>
#include <QTransform>
#include <optional>
#include <vector>

#include "core/display/flow_colors.h"
#include "core/image/image_view.h"
#include "core/pipeline/frame_result.h"
#include "core/setup/boards/board_collector.h"
#include "ui/views/marks.h"

namespace vantage::ui {

struct FlowStyle {
  bool shown = false;
  int arrow_spacing_px = 0;  // in the picture; 0: no arrows
};

// Colours with an opacity that grows with the length, so that what stands still stays bare. Of a large
// picture only every so many pixels: it is drawn scaled.
QImage flow_image(const FlowField& field, double full_px);

// Lengthened so that a vector of full colour nearly reaches the next arrow.
void draw_flow_arrows(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                      const FlowField& field, int spacing_px, double full_px);
// In the upper right corner of an area.
void draw_flow_wheel(QPainter& painter, const QRectF& area, double full_px);

// "flow 3.2 px (2.9 right, 1.4 down), confidence 0.93"; empty where it is unknown.
QString flow_text(const FlowField& field, const QPointF& pixel);

// Masks that are painted over the cameras' pictures: tinted, with a bright edge; the polygon that is being
// drawn, and the brush under the mouse.

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

// A detector's people in a camera's picture: boxes with their scores, and joints where it gives any. Weak
// boxes are dimmed, those of an earlier frame are dashed.

// `widget_from_picture` takes pixels whose (0, 0) is the centre of the first; `visible` is the part of the
// picture that is on the screen. Scores stand below their boxes, where others leave them room.
void draw_detections(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                     const MarkedDetections& detections);

// "boxes of 3 frames ago"; empty where they are of this frame, or there are none.
QString age_text(const MarkedDetections& detections);

// A board that is picked up from live cameras, in their pictures: the corners found now, the parts of the
// picture that kept corners have reached, and in words how many views are kept and what to show next. Large
// enough to be read by the person who holds the board.

// One camera's; in pixels, whose (0, 0) is the centre of the first.
struct MarkedBoard {
  QSizeF picture;        // its size; empty: no picture was searched yet
  QPolygonF corners;     // found in the newest picture
  bool resting = false;  // the board is held still
  bool kept = false;     // the newest view is kept
  BoardCoverage coverage = {};
  QString words;
};
using MarkedBoards = std::vector<MarkedBoard>;  // by camera; empty: none is picked up

// `visible` is the part of the picture that is on the screen.
void draw_board(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                const MarkedBoard& board);

// Boxes and measures, as every view draws them.

void draw_boxes(QPainter& painter, const MarkView& view, const std::vector<MarkedBox>& boxes);
void draw_measures(QPainter& painter, const MarkView& view, const std::vector<MarkedMeasure>& measures);

}  // namespace vantage::ui
