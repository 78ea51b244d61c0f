// Optical flow over a camera's picture: colours for direction and length, arrows at a chosen spacing, the
// colour wheel that explains them, and the value at a pixel as text. Flows are in host memory.
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

// Colours with an opacity that grows with the length, so that still areas stay clear. Large pictures are
// subsampled, since the image is drawn scaled.
QImage flow_image(const FlowField& field, double full_px);

// Scaled so that a vector of full colour nearly reaches the next arrow.
void draw_flow_arrows(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                      const FlowField& field, int spacing_px, double full_px);
// In the upper right corner of an area.
void draw_flow_wheel(QPainter& painter, const QRectF& area, double full_px);

// "flow 3.2 px (2.9 right, 1.4 down), confidence 0.93"; empty where it is unknown.
QString flow_text(const FlowField& field, const QPointF& pixel);

// Masks painted over the cameras' pictures: tinted, with a bright edge; the polygon in progress, and the
// brush under the mouse.

// In pixels of its camera's picture; (0, 0) is the centre of the first pixel.
struct MarkedBrush {
  int camera = 0;
  QPointF at;
  double radius_px = 0;
  bool erases = false;  // drawn dashed
};

struct PaintedMasks {
  std::vector<QImage> masks = {};  // one per camera, from painted_mask(); null: none
  int polygon_camera = -1;         // -1: no polygon is being drawn
  QPolygonF polygon = {};
  std::optional<MarkedBrush> brush = {};
  bool painting = false;  // the position under the mouse is not marked, since it would hide the brush
};

// Inside: above 127.
QImage painted_mask(const ImageView<const uint8_t>& mask);
// Masks of two painters: common pixels tinted as by painted_mask(), only ours in orange, only theirs in blue
// stripes. Both of one size.
QImage compared_masks(const ImageView<const uint8_t>& ours, const ImageView<const uint8_t>& theirs);

// Masks of one camera; `picture`: rectangle of the complete picture in the widget, `visible`: the part on the
// screen.
void draw_painted_mask(QPainter& painter, const QTransform& widget_from_picture, const QRectF& picture,
                       const QRectF& visible, int camera, const PaintedMasks& painted);

// Parts of the cameras' pictures that do not count: hatched, the chosen one with a bright edge; and the one
// that is being drawn. In pixels of the picture; (0, 0) is the centre of the first.
struct MarkedIgnored {
  struct Region {
    int camera = 0;
    QPolygonF pixels;
    bool chosen = false;
  };
  std::vector<Region> regions = {};
  int drawn_camera = -1;  // -1: none is being drawn
  QPolygonF drawn = {};
};

// Regions of one camera; `visible`: the part of its picture on the screen.
void draw_ignored(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible, int camera,
                  const MarkedIgnored& ignored);

// A detector's people in a camera's picture: boxes with scores, and joints if there are any. Weak boxes are
// dimmed, those of an earlier frame are dashed.

// `widget_from_picture`: from pixels whose (0, 0) is the centre of the first; `visible`: the part of the
// picture on the screen. Scores are below their boxes, where there is space.
void draw_detections(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                     const MarkedDetections& detections);

// "boxes of 3 frames ago"; empty where they are of this frame, or there are none.
QString age_text(const MarkedDetections& detections);

// A board recorded from live cameras, in their pictures: the corners found now, the parts of the picture that
// kept corners have reached, and text on the number of kept views and the next step, large enough for the
// person who holds the board.

// For one camera, in pixels; (0, 0) is the centre of the first.
struct MarkedBoard {
  QSizeF picture;        // its size; empty: no picture was searched yet
  QPolygonF corners;     // found in the newest picture
  bool resting = false;  // the board is still
  bool kept = false;     // the newest view is kept
  BoardCoverage coverage = {};
  QString words;
};
using MarkedBoards = std::vector<MarkedBoard>;  // one per camera; empty: no recording of a board

// `visible`: the part of the picture on the screen.
void draw_board(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                const MarkedBoard& board);

// Boxes and measures, as every view draws them.

void draw_boxes(QPainter& painter, const MarkView& view, const std::vector<MarkedBox>& boxes);
void draw_measures(QPainter& painter, const MarkView& view, const std::vector<MarkedMeasure>& measures);

}  // namespace vantage::ui
