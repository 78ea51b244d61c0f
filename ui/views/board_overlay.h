// A board that is picked up from live cameras, in their pictures: the corners found now, the parts of the
// picture that kept corners have reached, and in words how many views are kept and what to show next. Large
// enough to be read by the person who holds the board.
#pragma once

#include <QPainter>
#include <QPolygonF>
#include <QString>
#include <QTransform>
#include <vector>

#include "core/setup/boards/board_collector.h"

namespace vantage::ui {

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

}  // namespace vantage::ui
