// The lines of the 3-D scene as VTK actors: floor grid, camera frusta, the box that is carved.
#pragma once

#include <vtkSmartPointer.h>

#include <Eigen/Core>
#include <QColor>
#include <vector>

#include "core/geometry/camera.h"

class vtkActor;

namespace vantage::ui {

struct FloorArea {
  int low_x_m = -3, high_x_m = 3, low_y_m = -3, high_y_m = 3;
};

// The whole metres that hold every camera's foot and the grid.
FloorArea floor_area(const std::vector<Camera>& cameras, const VoxelGrid* grid);

// Lines each metre, the world's axes brighter.
std::vector<vtkSmartPointer<vtkActor>> floor_actors(const FloorArea& area);
// A pyramid of that length from the camera's centre through the picture's corners.
vtkSmartPointer<vtkActor> frustum_actor(const Camera& camera, double length_m, const QColor& color);
vtkSmartPointer<vtkActor> box_actor(const VoxelGrid& grid);

Eigen::Vector3d low_corner_m(const VoxelGrid& grid);
Eigen::Vector3d high_corner_m(const VoxelGrid& grid);

}  // namespace vantage::ui
