#include "ui/views/scene_geometry.h"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/views/view_texts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

vtkSmartPointer<vtkActor> line_actor(const std::vector<WorldSegment>& segments, const MarkColor& color,
                                     double width_px) {
  const auto points = vtkSmartPointer<vtkPoints>::New();
  const auto lines = vtkSmartPointer<vtkCellArray>::New();
  for (const auto& [from, to] : segments) {
    const std::array<vtkIdType, 2> ends = {points->InsertNextPoint(from.data()),
                                           points->InsertNextPoint(to.data())};
    lines->InsertNextCell(2, ends.data());
  }
  const auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  data->SetLines(lines);
  const auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->SetInputData(data);
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(color[0] / 255.0, color[1] / 255.0, color[2] / 255.0);
  actor->GetProperty()->SetLineWidth(static_cast<float>(width_px));
  actor->GetProperty()->LightingOff();
  actor->PickableOff();
  return actor;
}

}  // namespace

std::vector<vtkSmartPointer<vtkActor>> floor_actors(const FloorArea& area) {
  const FloorSegments lines = floor_segments(area);
  return {line_actor(lines.metres, kSceneMetre, 1), line_actor(lines.axes, kSceneAxis, 1)};
}

vtkSmartPointer<vtkActor> frustum_actor(const Camera& camera, double length_m, int number) {
  return line_actor(frustum_segments(camera, length_m), camera_rgb(number), kFrustumLine_px);
}

vtkSmartPointer<vtkActor> box_actor(const VoxelGrid& grid) {
  return line_actor(box_segments(grid), kSceneBox, 1);
}

namespace {

QString scene_tr(const char* text) {
  return QCoreApplication::translate("SceneView", text);
}

}  // namespace

void draw_floor_marks(QPainter& painter, const MarkView& view, const FloorArea& floor) {
  const QFont small = sized(painter.font(), TextSize::small);
  painter.save();
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  for (const FloorNumber& number : floor_numbers(floor)) {
    const auto at = widget_position(view, number.position_in_world_m);
    if (!at || !view.visible.adjusted(-40, -40, 40, 40).contains(*at)) continue;
    const QString text = !number.last  ? QString::number(number.metre)
                         : number.of_x ? scene_tr("x %1 m").arg(number.metre)
                                       : scene_tr("y %1 m").arg(number.metre);
    const QPointF by = number.of_x ? QPointF(-4, 14) : QPointF(6, 10);
    const double rightmost = view.visible.right() - metrics.horizontalAdvance(text) - 4;
    draw_haloed(painter, QPointF(std::min(at->x() + by.x(), rightmost), at->y() + by.y()), text,
                QColor(kQuietText));
  }
  painter.restore();
}

void draw_scale_bar(QPainter& painter, const QPointF& left, double pixels_per_metre) {
  constexpr double kMax_px = 120;
  if (!(pixels_per_metre > 0)) return;
  const double max_m = kMax_px / pixels_per_metre;
  const double decade = std::pow(10, std::floor(std::log10(max_m)));
  const double metres = max_m >= 5 * decade ? 5 * decade : max_m >= 2 * decade ? 2 * decade : decade;
  const QPointF right = left + QPointF(metres * pixels_per_metre, 0);
  for (const auto& [color, width] :
       {std::pair(QColor(0, 0, 0, 170), 3.0), std::pair(QColor(Qt::white), 1.5)}) {
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(left, right);
    painter.drawLine(left - QPointF(0, 4), left + QPointF(0, 4));
    painter.drawLine(right - QPointF(0, 4), right + QPointF(0, 4));
  }
  const QString text = scene_tr("%1 m").arg(metres);
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text);
  draw_haloed(painter, QPointF((left.x() + right.x() - width) / 2, left.y() - 7), text, Qt::white);
}

double draw_color_key(QPainter& painter, const QPointF& corner, const ColorMap& map, const QString& words) {
  const QFontMetricsF metrics(painter.font());
  const QRectF bar(corner - QPointF(120, 8), QSizeF(120, 8));
  QLinearGradient ramp(bar.topLeft(), bar.topRight());
  for (size_t i = 0; i < map.size(); ++i)
    ramp.setColorAt(static_cast<double>(i) / static_cast<double>(map.size() - 1),
                    QColor::fromRgbF(map[i][0], map[i][1], map[i][2]));
  painter.setPen(QPen(Qt::black, 1));
  painter.setBrush(ramp);
  painter.drawRect(bar);
  draw_haloed(painter, QPointF(bar.right() - metrics.horizontalAdvance(words), bar.top() - 6), words,
              Qt::white);
  return bar.height() + metrics.height() + 12;
}

}  // namespace vantage::ui
