#include "ui/views/vtk_view.h"

#include <vtkCamera.h>
#include <vtkMatrix4x4.h>

#include <numbers>

namespace vantage::ui {

QMatrix4x4 clip_from_world(vtkCamera& camera, double aspect) {
  const vtkMatrix4x4* matrix = camera.GetCompositeProjectionTransformMatrix(aspect, -1, 1);
  QMatrix4x4 out;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      out(row, column) = static_cast<float>(matrix->GetElement(row, column));
  return out;
}

void apply(const OrbitCamera& view, vtkCamera& camera, double aspect) {
  const Eigen::Vector3d eye = view.eye_m(aspect), target = view.target_m(), up = view.up();
  camera.SetPosition(eye.x(), eye.y(), eye.z());
  camera.SetFocalPoint(target.x(), target.y(), target.z());
  camera.SetViewUp(up.x(), up.y(), up.z());
  camera.SetParallelProjection(view.top());
  camera.SetParallelScale(view.half_height_m(aspect));
  camera.SetViewAngle(OrbitCamera::kViewAngle_rad * 180 / std::numbers::pi);
}

}  // namespace vantage::ui
