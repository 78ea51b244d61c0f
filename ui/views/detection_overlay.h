// A detector's people in a camera's picture: boxes with their scores, and joints where it gives any. Weak
// boxes are dimmed, those of an earlier frame are dashed.
#pragma once

#include <QPainter>
#include <QString>
#include <QTransform>

#include "ui/views/marks.h"

namespace vantage::ui {

// `widget_from_picture` takes pixels whose (0, 0) is the centre of the first; `visible` is the part of the
// picture that is on the screen. Scores stand below their boxes, where others leave them room.
void draw_detections(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                     const MarkedDetections& detections);

// "boxes of 3 frames ago"; empty where they are of this frame, or there are none.
QString age_text(const MarkedDetections& detections);

}  // namespace vantage::ui
