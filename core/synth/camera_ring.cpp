#include "core/synth/camera_ring.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include "core/synth/random.h"

namespace vantage::synth {
namespace {

using Eigen::Vector3d;

// The direction to the right of an upright camera; one that looks down is turned to the nearest side of the
// area, which then fills the picture best.
Vector3d right_of(const Vector3d& forward, CameraLayout layout) {
  const Vector3d upright = forward.cross(Vector3d::UnitZ()).normalized();
  if (layout == CameraLayout::ring) return upright;
  const bool along_x = std::abs(upright.x()) > std::abs(upright.y());
  const Vector3d side =
      along_x ? Vector3d(upright.x() > 0 ? 1 : -1, 0, 0) : Vector3d(0, upright.y() > 0 ? 1 : -1, 0);
  return (side - side.dot(forward) * forward).normalized();
}

struct Ring {
  double radius_m, low_m, high_m;  // cameras hang between low and high
  double first_rad;                // angle of the first one
  double target_z_m;
};

Ring ring_of(const SynthOptions& options) {
  const double a = options.area_m;
  if (options.layout == CameraLayout::overhead) {
    const double height = 2 + 1.1 * a;
    return {0.3 * a, height - 0.1, height + 0.1, -std::numbers::pi / 2, 1};
  }
  return {a / 2 * std::numbers::sqrt2 + 2.0, 2.5, 3.0, std::numbers::pi / 4, 0.25};
}

// The relative displacement of a point towards the middle of the picture, at that distance from the axis, by
// a lens that is not polynomial.
double bend_of(const Lens<double>& lens, double radius) {
  double bent = 0, aside = 0;
  distort(lens, radius, 0.0, &bent, &aside);
  return bent / radius;
}

// Another model that is as strong as the polynomial, from the same chance.
void make_lens(LensModel lens, Lens<double>* model) {
  model->lens = lens;
  if (lens == LensModel::fisheye) {
    model->k1 *= 0.2, model->k2 *= 0.3;
    model->k3 = 10 * model->p1, model->k4 = model->p2;
    model->p1 = model->p2 = 0;
  } else if (lens == LensModel::rational) {
    model->k4 = 0.05, model->k5 = 0.004;
    model->s1 = model->p2, model->s3 = model->p1;
    model->tau_x = 10 * model->p1, model->tau_y = 10 * model->p2;
  }
}

// The area's corners next to the camera's axis fill the width, a person in front of it most of the height.
double ring_focal_length_px(const SynthOptions& options, double radius_m,
                            const PinholeCamera<double>& model) {
  const double side = (options.area_m / 2 * std::numbers::sqrt2 + 0.3) / radius_m;
  const double bend = model.lens == LensModel::polynomial ? 1 + model.k1 * side * side : bend_of(model, side);
  return std::min(options.width_px / 2.0 / (side * bend), options.height_px / 2.0 / 0.50);
}

// Covers the whole area, up to above everyone's head, with a margin.
double overhead_focal_length_px(const SynthOptions& options, const PinholeCamera<double>& model) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(
      model.rotation_cam_from_world);
  const Eigen::Map<const Vector3d> translation(model.translation_cam_from_world_m);
  double focal = 1e9;
  for (int corner = 0; corner < 8; ++corner) {
    const double half = options.area_m / 2;
    const Vector3d point(corner & 1 ? half : -half, corner & 2 ? half : -half, corner & 4 ? 2.0 : 0.0);
    const Vector3d seen = rotation * point + translation;
    const double x = std::abs(seen.x() / seen.z()), y = std::abs(seen.y() / seen.z());
    const double bent = model.lens == LensModel::polynomial ? 1 + model.k1 * (x * x + y * y)
                                                            : bend_of(model, std::hypot(x, y));
    focal = std::min({focal, options.width_px / 2.0 / (x * bent), options.height_px / 2.0 / (y * bent)});
  }
  return 0.97 * focal;
}

}  // namespace

// OpenCV axes: x right, y down, z towards the target.
void aim_camera(const Vector3d& center, const Vector3d& target, CameraLayout layout, double roll,
                PinholeCamera<double>* model) {
  const Vector3d forward = (target - center).normalized();
  const Vector3d right = right_of(forward, layout), down = forward.cross(right);
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(model->rotation_cam_from_world);
  rotation.row(0) = std::cos(roll) * right + std::sin(roll) * down;
  rotation.row(1) = std::cos(roll) * down - std::sin(roll) * right;
  rotation.row(2) = forward;
  Eigen::Map<Vector3d>(model->translation_cam_from_world_m) = -rotation * center;
}

Result<std::vector<Camera>> make_camera_ring(const SynthOptions& options) {
  Random random(options.seed, 0x72696e67);
  const Ring ring = ring_of(options);
  const double turn = 2 * std::numbers::pi / options.cameras;
  std::vector<Camera> cameras;
  for (int i = 0; i < options.cameras; ++i) {
    const double angle = ring.first_rad + i * turn + random.uniform(-0.08, 0.08) * std::min(1.0, turn);
    const Vector3d center(ring.radius_m * std::cos(angle), ring.radius_m * std::sin(angle),
                          random.uniform(ring.low_m, ring.high_m));
    PinholeCamera<double> model;
    model.width_px = options.width_px;
    model.height_px = options.height_px;
    model.k1 = random.uniform(-0.11, -0.09);
    model.k2 = random.uniform(0.008, 0.012);
    model.p1 = random.uniform(-3e-4, 3e-4);
    model.p2 = random.uniform(-3e-4, 3e-4);
    const double zoom = random.uniform(0.985, 1.0), stretch = random.uniform(0.999, 1.001);
    model.cx_px = (options.width_px - 1) / 2.0 + random.uniform(-0.008, 0.008) * options.width_px;
    model.cy_px = (options.height_px - 1) / 2.0 + random.uniform(-0.008, 0.008) * options.height_px;
    const double roll = random.uniform(-0.012, 0.012);
    const double target_x = random.uniform(-0.1, 0.1), target_y = random.uniform(-0.1, 0.1);
    aim_camera(center, {target_x, target_y, ring.target_z_m}, options.layout, roll, &model);
    make_lens(options.lens, &model);
    model.fx_px = zoom * (options.layout == CameraLayout::overhead
                              ? overhead_focal_length_px(options, model)
                              : ring_focal_length_px(options, ring.radius_m, model));
    model.fy_px = model.fx_px * stretch;
    VANTAGE_ASSIGN(Camera camera, Camera::make("cam" + std::to_string(i + 1), model));
    cameras.push_back(std::move(camera));
  }
  return cameras;
}

void PixelBox::include(const PixelBox& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  x0 = std::min(x0, other.x0), y0 = std::min(y0, other.y0);
  x1 = std::max(x1, other.x1), y1 = std::max(y1, other.y1);
}

Result<CameraView> CameraView::make(const Camera& camera) {
  CameraView view;
  view.camera_ = camera;
  view.rotation_ = camera.rotation_cam_from_world().cast<float>();
  view.center_ = camera.center_in_world_m().cast<float>();
  const int columns = 2 * camera.width_px(), rows = 2 * camera.height_px();
  view.samples_.resize(static_cast<size_t>(columns) * rows);
  std::atomic<bool> reached = true;
  // Isolated: a thread that waits here must not start on another camera meanwhile.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<int>(0, rows), [&](const tbb::blocked_range<int>& range) {
      for (int row = range.begin(); row < range.end(); ++row)
        for (int column = 0; column < columns; ++column) {
          const auto point = camera.undistort({0.5 * column - 0.25, 0.5 * row - 0.25});
          if (point)
            view.samples_[static_cast<size_t>(row) * columns + column] = point->cast<float>();
          else
            reached = false;
        }
    });
  });
  if (!reached)
    return fail(ErrorKind::invalid_argument, "the lens model does not cover the picture's corners",
                camera.name());
  return view;
}

PixelBox CameraView::clip(double x0, double y0, double x1, double y1) const {
  const auto bound = [](double v, int limit) { return static_cast<int>(std::clamp(v, 0.0, double(limit))); };
  return {bound(std::floor(x0), width_px()), bound(std::floor(y0), height_px()),
          bound(std::ceil(x1) + 1, width_px()), bound(std::ceil(y1) + 1, height_px())};
}

PixelBox CameraView::box_around(const std::vector<Eigen::Vector2d>& normalized, double margin_px) const {
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
  for (const Eigen::Vector2d& point : normalized) {
    const Pixel<double> p = project_camera_point(camera_.model(), point.x(), point.y(), 1.0);
    if (!p.in_front) return {0, 0, width_px(), height_px()};
    x0 = std::min(x0, p.x), y0 = std::min(y0, p.y), x1 = std::max(x1, p.x), y1 = std::max(y1, p.y);
  }
  return clip(x0 - margin_px, y0 - margin_px, x1 + margin_px, y1 + margin_px);
}

PixelBox CameraView::box_of_floor(double x0, double y0, double x1, double y1) const {
  constexpr int steps = 6;
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
  for (int i = 0; i <= steps; ++i)
    for (int k = 0; k <= steps; ++k) {
      const auto pixel = camera_.project({x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * k / steps, 0});
      if (!pixel) return {0, 0, width_px(), height_px()};
      left = std::min(left, pixel->x()), right = std::max(right, pixel->x());
      top = std::min(top, pixel->y()), bottom = std::max(bottom, pixel->y());
    }
  return clip(left - 2, top - 2, right + 2, bottom + 2);
}

}  // namespace vantage::synth
