// Optical flow over a camera's picture: colours for direction and length, arrows at a chosen spacing, the
// colour wheel that explains them, and the value at a pixel in words. Flows are in host memory.
#pragma once

#include <QImage>
#include <QPainter>
#include <QString>

#include "core/display/flow_colors.h"
#include "core/pipeline/frame_result.h"

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

}  // namespace vantage::ui
