// The lines of the 3-D scene (core/display/scene_lines.h) as VTK actors.
#pragma once

#include <vtkSmartPointer.h>

#include <vector>

#include "core/display/scene_lines.h"

class vtkActor;

namespace vantage::ui {

// Lines each metre, the world's axes brighter.
std::vector<vtkSmartPointer<vtkActor>> floor_actors(const FloorArea& area);
vtkSmartPointer<vtkActor> frustum_actor(const Camera& camera, double length_m, int number);
vtkSmartPointer<vtkActor> box_actor(const VoxelGrid& grid);

}  // namespace vantage::ui
