// The scene's point of view in VTK.
#pragma once

#include <QMatrix4x4>

#include "core/display/orbit_camera.h"

class vtkCamera;

namespace vantage::ui {

void apply(const OrbitCamera& view, vtkCamera& camera, double aspect);
// OpenGL's clip coordinates of a world point as that camera sees it.
QMatrix4x4 clip_from_world(vtkCamera& camera, double aspect);

}  // namespace vantage::ui
