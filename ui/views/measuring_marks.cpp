#include "ui/views/measuring_marks.h"

#include <algorithm>

#include "ui/views/view_texts.h"
#include "ui/widgets/colors.h"

namespace vantage::ui {
namespace {

// Moved aside where it would leave the view: a size that is cut cannot be read.
void draw_inside(QPainter& painter, const MarkView& view, QPointF baseline, const QString& text,
                 const QColor& color) {
  constexpr double kMargin_px = 3;
  const double last =
      view.visible.right() - QFontMetricsF(painter.font()).horizontalAdvance(text) - kMargin_px;
  baseline.setX(std::max(std::min(baseline.x(), last), view.visible.left() + kMargin_px));
  draw_haloed(painter, baseline, text, color);
}

void draw_box(QPainter& painter, const MarkView& view, const MarkedBox& mark) {
  const auto corners = mark.box.corners_in_world_m();
  const LineStyle look{mark.chosen ? QColor(Qt::white) : QColor(kRejected), mark.chosen ? 2.0 : 1.0,
                       Qt::SolidLine};
  for (const auto& [from, to] : kBoxEdges) {
    const std::array<Eigen::Vector3d, 2> edge = {corners[static_cast<size_t>(from)],
                                                 corners[static_cast<size_t>(to)]};
    draw_world_line(painter, view, edge, false, look);
  }
  if (const auto at = widget_position(view, corners[6]); at && view.visible.contains(*at))
    draw_inside(painter, view, *at + QPointF(6, -6), mark.text, look.color);
}

void draw_measure(QPainter& painter, const MarkView& view, const MarkedMeasure& measure) {
  constexpr double kDot_px = 3.5;
  const QColor color(measure.chosen ? kSelection : kForegroundOverlay);
  draw_world_line(painter, view, measure.points_m, false, {color, measure.chosen ? 2.5 : 2.0, Qt::SolidLine});
  painter.setPen(QPen(Qt::black, 1));
  painter.setBrush(color);
  for (const Eigen::Vector3d& point : measure.points_m)
    if (const auto at = widget_position(view, point)) painter.drawEllipse(*at, kDot_px, kDot_px);
  // A distance and a height in their middle, an angle at its corner.
  const size_t last = measure.points_m.size() - 1;
  const Eigen::Vector3d middle =
      last == 2 ? measure.points_m[1] : Eigen::Vector3d((measure.points_m[0] + measure.points_m[last]) / 2);
  if (const auto at = widget_position(view, middle); at && view.visible.contains(*at))
    draw_inside(painter, view, *at + QPointF(8, -6), measure.text, color);
}

}  // namespace

void draw_boxes(QPainter& painter, const MarkView& view, const std::vector<MarkedBox>& boxes) {
  for (const MarkedBox& box : boxes) draw_box(painter, view, box);
}

void draw_measures(QPainter& painter, const MarkView& view, const std::vector<MarkedMeasure>& measures) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const MarkedMeasure& measure : measures) draw_measure(painter, view, measure);
}

}  // namespace vantage::ui
