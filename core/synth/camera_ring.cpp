#include "core/synth/camera_ring.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/synth/random.h"

namespace vantage::synth {
namespace {

using Eigen::Vector3d;

// OpenCV axes: x right, y down, z towards the target.
void aim(const Vector3d& center, const Vector3d& target, double roll, PinholeCamera<double>* model) {
  const Vector3d forward = (target - center).normalized();
  const Vector3d right = forward.cross(Vector3d::UnitZ()).normalized(), down = forward.cross(right);
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(model->rotation_cam_from_world);
  rotation.row(0) = std::cos(roll) * right + std::sin(roll) * down;
  rotation.row(1) = std::cos(roll) * down - std::sin(roll) * right;
  rotation.row(2) = forward;
  Eigen::Map<Vector3d>(model->translation_cam_from_world_m) = -rotation * center;
}

// The area's corners beside the camera's axis fill the width, a person before it most of the height.
double focal_length_px(const SynthOptions& options, double radius_m, double k1) {
  const double side = (options.area_m / 2 * std::numbers::sqrt2 + 0.3) / radius_m;
  const double side_in_picture = side * (1 + k1 * side * side);
  return std::min(options.width_px / 2.0 / side_in_picture, options.height_px / 2.0 / 0.50);
}

}  // namespace

Result<std::vector<Camera>> make_camera_ring(const SynthOptions& options) {
  Random random(options.seed, 0x72696e67);
  const double radius_m = options.area_m / 2 * std::numbers::sqrt2 + 2.0;
  const double turn = 2 * std::numbers::pi / options.cameras;
  std::vector<Camera> cameras;
  for (int i = 0; i < options.cameras; ++i) {
    const double angle = std::numbers::pi / 4 + i * turn + random.uniform(-0.08, 0.08) * std::min(1.0, turn);
    const Vector3d center(radius_m * std::cos(angle), radius_m * std::sin(angle), random.uniform(2.5, 3.0));
    PinholeCamera<double> model;
    model.width_px = options.width_px;
    model.height_px = options.height_px;
    model.k1 = random.uniform(-0.11, -0.09);
    model.k2 = random.uniform(0.008, 0.012);
    model.p1 = random.uniform(-3e-4, 3e-4);
    model.p2 = random.uniform(-3e-4, 3e-4);
    model.fx_px = focal_length_px(options, radius_m, model.k1) * random.uniform(0.985, 1.0);
    model.fy_px = model.fx_px * random.uniform(0.999, 1.001);
    model.cx_px = (options.width_px - 1) / 2.0 + random.uniform(-0.008, 0.008) * options.width_px;
    model.cy_px = (options.height_px - 1) / 2.0 + random.uniform(-0.008, 0.008) * options.height_px;
    aim(center, {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.25}, random.uniform(-0.012, 0.012),
        &model);
    VANTAGE_ASSIGN(Camera camera, Camera::make("cam" + std::to_string(i + 1), model));
    cameras.push_back(std::move(camera));
  }
  return cameras;
}

}  // namespace vantage::synth
