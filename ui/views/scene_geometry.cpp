#include "ui/views/scene_geometry.h"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace vantage::ui {
namespace {

using Segment = std::pair<Eigen::Vector3d, Eigen::Vector3d>;

vtkSmartPointer<vtkActor> line_actor(const std::vector<Segment>& segments, const QColor& color,
                                     float width_px) {
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
  actor->GetProperty()->SetColor(color.redF(), color.greenF(), color.blueF());
  actor->GetProperty()->SetLineWidth(width_px);
  actor->GetProperty()->LightingOff();
  actor->PickableOff();
  return actor;
}

}  // namespace

Eigen::Vector3d low_corner_m(const VoxelGrid& grid) {
  return Eigen::Vector3d(grid.origin_in_world_m);
}

Eigen::Vector3d high_corner_m(const VoxelGrid& grid) {
  return low_corner_m(grid) + grid.voxel_size_m * Eigen::Vector3d(grid.nx, grid.ny, grid.nz);
}

FloorArea floor_area(const std::vector<Camera>& cameras, const VoxelGrid* grid) {
  Eigen::Vector2d low(1e9, 1e9), high(-1e9, -1e9);
  const auto take = [&](const Eigen::Vector3d& p) {
    low = low.cwiseMin(p.head<2>());
    high = high.cwiseMax(p.head<2>());
  };
  for (const Camera& camera : cameras) take(camera.center_in_world_m());
  if (grid) {
    take(low_corner_m(*grid));
    take(high_corner_m(*grid));
  }
  if (low.x() > high.x()) return {};
  const auto whole = [](double metres) { return static_cast<int>(std::clamp(metres, -200.0, 200.0)); };
  return {whole(std::floor(low.x())), whole(std::ceil(high.x())), whole(std::floor(low.y())),
          whole(std::ceil(high.y()))};
}

std::vector<vtkSmartPointer<vtkActor>> floor_actors(const FloorArea& area) {
  // A little below the floor, so that the box's lower edges and the feet of the shell are drawn over it.
  constexpr double z = -0.01;
  std::vector<Segment> plain, axes;
  for (int x = area.low_x_m; x <= area.high_x_m; ++x)
    (x == 0 ? axes : plain)
        .emplace_back(Eigen::Vector3d(x, area.low_y_m, z), Eigen::Vector3d(x, area.high_y_m, z));
  for (int y = area.low_y_m; y <= area.high_y_m; ++y)
    (y == 0 ? axes : plain)
        .emplace_back(Eigen::Vector3d(area.low_x_m, y, z), Eigen::Vector3d(area.high_x_m, y, z));
  return {line_actor(plain, QColor(0xff3a3d40), 1), line_actor(axes, QColor(0xff6a6e72), 1)};
}

vtkSmartPointer<vtkActor> frustum_actor(const Camera& camera, double length_m, const QColor& color) {
  const Eigen::Vector3d eye = camera.center_in_world_m();
  const double w = camera.width_px() - 0.5, h = camera.height_px() - 0.5;
  const Eigen::Matrix3d world_from_cam = camera.rotation_cam_from_world().transpose();
  const PinholeCamera<double>& model = camera.model();
  std::vector<Eigen::Vector3d> corners;
  for (const auto& [x, y] : {std::pair(-0.5, -0.5), {w, -0.5}, {w, h}, {-0.5, h}}) {
    const Eigen::Vector3d in_cam((x - model.cx_px) / model.fx_px, (y - model.cy_px) / model.fy_px, 1);
    corners.push_back(eye + world_from_cam * in_cam * length_m);
  }
  std::vector<Segment> segments;
  for (size_t i = 0; i < corners.size(); ++i) {
    segments.emplace_back(eye, corners[i]);
    segments.emplace_back(corners[i], corners[(i + 1) % corners.size()]);
  }
  // A small roof marks the picture's upper edge.
  const Eigen::Vector3d roof = (corners[0] + corners[1]) / 2 + (corners[0] - corners[3]) * 0.25;
  segments.emplace_back(corners[0] * 0.7 + corners[1] * 0.3, roof);
  segments.emplace_back(corners[0] * 0.3 + corners[1] * 0.7, roof);
  return line_actor(segments, color, 2);
}

vtkSmartPointer<vtkActor> box_actor(const VoxelGrid& grid) {
  const Eigen::Vector3d low = low_corner_m(grid), size = high_corner_m(grid) - low;
  const auto corner = [&](int i) {
    return Eigen::Vector3d(low + size.cwiseProduct(Eigen::Vector3d(i & 1, (i >> 1) & 1, (i >> 2) & 1)));
  };
  std::vector<Segment> segments;
  for (int i = 0; i < 8; ++i)
    for (const int axis : {1, 2, 4})
      if ((i & axis) == 0) segments.emplace_back(corner(i), corner(i | axis));
  return line_actor(segments, QColor(0xffb8babd), 1);
}

}  // namespace vantage::ui
