#include "core/project/camera_in_time.h"

#include <algorithm>

#include "core/geometry/lens_inverse.h"

namespace vantage {
namespace {

// `lens` with that pose.
Camera posed(Camera lens, const Eigen::Isometry3d& cam_from_world) {
  PinholeCamera<double> model = lens.model();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      model.rotation_cam_from_world[3 * row + column] = cam_from_world.linear()(row, column);
    model.translation_cam_from_world_m[row] = cam_from_world.translation()(row);
  }
  return Camera::make(lens.name(), model).value_or(lens);
}

}  // namespace

bool same_lens(const Camera& a, const Camera& b) {
  return a.model().lens == b.model().lens && a.intrinsics() == b.intrinsics() &&
         lens_coefficients(a.model()) == lens_coefficients(b.model());
}

size_t calibration_span(const Project& project, int64_t frame) {
  const std::vector<int64_t> changes = project.calibration_changes();
  return static_cast<size_t>(std::upper_bound(changes.begin(), changes.end(), frame) - changes.begin());
}

Project project_at(const Project& project, int64_t frame) {
  Project then = project;
  for (size_t c = 0; c < then.cameras.size(); ++c) {
    if (const Camera* stands = project.cameras[c].calibration_at(frame))
      then.cameras[c].calibration = *stands;
    then.cameras[c].later_calibrations.clear();
  }
  return then;
}

void replace_calibration(ProjectCamera* camera, const Camera& now) {
  const bool same_size = camera->calibration && camera->calibration->width_px() == now.width_px() &&
                         camera->calibration->height_px() == now.height_px();
  if (!same_size)
    camera->later_calibrations.clear();
  else
    for (LaterCalibration& later : camera->later_calibrations) {
      const Camera& before = *camera->calibration;
      const Eigen::Isometry3d bump = later.camera.cam_from_world() * before.cam_from_world().inverse();
      later.camera = posed(same_lens(later.camera, before) ? now : later.camera, bump * now.cam_from_world());
    }
  camera->calibration = now;
}

void replace_calibration_at(ProjectCamera* camera, int64_t frame, const Camera& now) {
  LaterCalibration* holds = nullptr;
  for (LaterCalibration& later : camera->later_calibrations)
    if (later.from_frame <= frame) holds = &later;
  if (holds)
    holds->camera = now;
  else
    replace_calibration(camera, now);
}

void add_later_calibration(ProjectCamera* camera, int64_t frame, const Camera& now) {
  std::vector<LaterCalibration>& later = camera->later_calibrations;
  const auto at =
      std::lower_bound(later.begin(), later.end(), frame,
                       [](const LaterCalibration& one, int64_t wanted) { return one.from_frame < wanted; });
  if (at != later.end() && at->from_frame == frame)
    at->camera = now;
  else
    later.insert(at, {frame, now});
}

}  // namespace vantage
