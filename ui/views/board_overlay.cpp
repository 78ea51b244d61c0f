#include "ui/views/board_overlay.h"

#include <QFontMetricsF>
#include <QStringList>

#include "ui/views/view_texts.h"
#include "ui/widgets/colors.h"

namespace vantage::ui {
namespace {

constexpr double kBoardCorner_px = 3.5;
// The palette's green, which nothing else in a picture has; the picture stays to be seen.
constexpr QColor kCovered(0, 158, 115, 90);
constexpr double kKeptFrame_px = 6;
constexpr double kWordsScale = 1.5;

void draw_coverage(QPainter& painter, const QTransform& widget_from_picture, const MarkedBoard& board) {
  const double width = board.picture.width() / kCoverageColumns,
               height = board.picture.height() / kCoverageRows;
  for (int row = 0; row < kCoverageRows; ++row)
    for (int column = 0; column < kCoverageColumns; ++column) {
      const QRectF part(column * width - 0.5, row * height - 0.5, width, height);
      const bool reached = board.coverage[static_cast<size_t>(row * kCoverageColumns + column)] > 0;
      painter.setPen(QPen(QColor(255, 255, 255, 90), 1, Qt::DotLine));
      painter.setBrush(reached ? QBrush(kCovered) : QBrush(Qt::NoBrush));
      painter.drawRect(widget_from_picture.mapRect(part));
    }
}

// As many lines as the width takes, the last one at the bottom.
void draw_words(QPainter& painter, const QRectF& visible, const QString& text) {
  constexpr double kMargin_px = 12;
  QFont font = painter.font();
  font.setPointSizeF(font.pointSizeF() * kWordsScale);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  QStringList lines;
  for (const QString& word : text.split(' ')) {
    const QString longer = lines.isEmpty() ? word : lines.last() + ' ' + word;
    if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= visible.width() - 2 * kMargin_px)
      lines.last() = longer;
    else
      lines << word;
  }
  QPointF baseline = visible.bottomLeft() + QPointF(kMargin_px, -kMargin_px - metrics.descent());
  baseline.ry() -= metrics.lineSpacing() * static_cast<double>(lines.size() - 1);
  for (const QString& line : lines) {
    draw_haloed(painter, baseline, line, Qt::white);
    baseline.ry() += metrics.lineSpacing();
  }
}

}  // namespace

void draw_board(QPainter& painter, const QTransform& widget_from_picture, const QRectF& visible,
                const MarkedBoard& board) {
  if (board.picture.isEmpty()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(visible, Qt::IntersectClip);
  draw_coverage(painter, widget_from_picture, board);
  const QColor color(board.resting ? kSelection : kDoubtful);
  painter.setPen(QPen(Qt::black, 1));
  painter.setBrush(board.resting ? QBrush(color) : QBrush(Qt::NoBrush));
  for (const QPointF& corner : widget_from_picture.map(board.corners)) {
    painter.setPen(QPen(QColor(0, 0, 0, 190), 3));
    painter.drawEllipse(corner, kBoardCorner_px, kBoardCorner_px);
    painter.setPen(QPen(color, 1.5));
    painter.drawEllipse(corner, kBoardCorner_px, kBoardCorner_px);
  }
  if (board.kept) {
    painter.setPen(QPen(QColor(kSelection), kKeptFrame_px));
    painter.setBrush(Qt::NoBrush);
    const double inside = kKeptFrame_px / 2;
    painter.drawRect(visible.adjusted(inside, inside, -inside, -inside));
  }
  draw_words(painter, visible, board.words);
  painter.restore();
}

}  // namespace vantage::ui
