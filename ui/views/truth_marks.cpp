#include "ui/views/truth_marks.h"

#include <QCoreApplication>
#include <array>

#include "ui/views/view_texts.h"
#include "ui/widgets/colors.h"

namespace vantage::ui {
namespace {

void draw_person(QPainter& painter, const MarkView& view, const MarkedTruth& person) {
  constexpr double kHalf_px = 6;
  const QColor color = person.chosen ? QColor(kSelection) : QColor(Qt::white);
  const double height_m = person.height_m > 0 ? person.height_m : kStandingFigure_m;
  const std::array<Eigen::Vector3d, 2> upright = {
      person.position_in_world_m, person.position_in_world_m + height_m * Eigen::Vector3d::UnitZ()};
  draw_world_line(painter, view, upright, false,
                  {color, person.chosen ? 2.5 : 1.5, person.height_m > 0 ? Qt::SolidLine : Qt::DashLine});
  const auto at = widget_position(view, person.position_in_world_m);
  if (!at || !view.visible.contains(*at)) return;
  const QPolygonF diamond({*at + QPointF(0, -kHalf_px), *at + QPointF(kHalf_px, 0),
                           *at + QPointF(0, kHalf_px), *at + QPointF(-kHalf_px, 0)});
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Qt::black, 4));
  painter.drawPolygon(diamond);
  painter.setPen(QPen(color, 2));
  if (person.key) painter.setBrush(color);
  painter.drawPolygon(diamond);
  draw_haloed(painter, *at + QPointF(kHalf_px + 3, kHalf_px + 6),
              QCoreApplication::translate("Marks", "true %1").arg(person.id), color);
}

}  // namespace

void draw_truth(QPainter& painter, const MarkView& view, const std::vector<MarkedTruth>& people) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const MarkedTruth& person : people) draw_person(painter, view, person);
}

}  // namespace vantage::ui
