// The lines of the 3-D scene (core/display/scene_lines.h) as VTK actors.
#pragma once

#include <vtkSmartPointer.h>
#include <QPainter>
#include <QString>
#include <vector>

#include "core/display/scene_lines.h"
#include "core/image/color_map.h"
#include "ui/views/marks.h"

class vtkActor;

namespace vantage::ui {

// Lines each metre, the world's axes brighter.
std::vector<vtkSmartPointer<vtkActor>> floor_actors(const FloorArea& area);
vtkSmartPointer<vtkActor> frustum_actor(const Camera& camera, double length_m, int number);
vtkSmartPointer<vtkActor> box_actor(const VoxelGrid& grid);

// Texts in the scene's corners: metres of the floor, a scale, the meaning of colours.

void draw_floor_marks(QPainter& painter, const MarkView& view, const FloorArea& floor);
// "├─1 m─┤" with its left end there: the largest of 0.1, 0.2, 0.5, 1, 2, 5 … metres of at most 120 px.
void draw_scale_bar(QPainter& painter, const QPointF& left, double pixels_per_metre);
// A colour bar with its lower right corner there and text above. Returns its height.
double draw_color_key(QPainter& painter, const QPointF& corner, const ColorMap& map, const QString& words);

}  // namespace vantage::ui
