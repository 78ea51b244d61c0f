#include "ui/views/scene_geometry.h"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

#include <array>

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

}  // namespace vantage::ui
