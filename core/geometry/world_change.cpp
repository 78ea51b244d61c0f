#include "core/geometry/world_change.h"

namespace vantage {

WorldChange WorldChange::then(const WorldChange& next) const {
  return {next.scale * scale, next.rotation * rotation, next(translation_m)};
}

Camera in_changed_world(const Camera& camera, const WorldChange& change) {
  PinholeCamera<double> model = camera.model();
  const Eigen::Matrix3d rotation = camera.rotation_cam_from_world() * change.rotation.transpose();
  const Eigen::Vector3d translation = -rotation * change(camera.center_in_world_m());
  for (int row = 0; row < 3; ++row) {
    model.translation_cam_from_world_m[row] = translation[row];
    for (int column = 0; column < 3; ++column)
      model.rotation_cam_from_world[3 * row + column] = rotation(row, column);
  }
  return Camera::make(camera.name(), model).value_or(camera);
}

}  // namespace vantage
