// Cameras evenly on a ring, aimed at the area's centre, with a field of view that covers the whole area. The
// ring is around the area 2.5 to 3 m high or, `overhead`, above it: then the line of sight to the centre is
// about 15 degrees from the vertical and every camera sees the heads of everyone in the area.
#pragma once

#include <vector>

#include "core/geometry/camera.h"
#include "core/synth/synth.h"

namespace vantage::synth {

Result<std::vector<Camera>> make_camera_ring(const SynthOptions& options);

// Places the camera at `center_m`, aimed at `target_m`, rolled clockwise.
void aim_camera(const Eigen::Vector3d& center_m, const Eigen::Vector3d& target_m, CameraLayout layout,
                double roll_rad, PinholeCamera<double>* model);

// A camera prepared for ray casting: the direction of every sample of its picture, with the lens inverted
// once.

// A rectangle of pixels [x0, x1) x [y0, y1).
struct PixelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
  void include(const PixelBox& other);
};

class CameraView {
 public:
  // Fails where the lens model does not reach the picture's corners.
  static Result<CameraView> make(const Camera& camera);

  const Camera& camera() const { return camera_; }
  int width_px() const { return camera_.width_px(); }
  int height_px() const { return camera_.height_px(); }
  const Eigen::Matrix3f& rotation() const { return rotation_; }  // camera from world
  const Eigen::Vector3f& center() const { return center_; }      // in the world, metres

  // Normalised undistorted coordinates (x, y; z is 1) of the 2 x 2 samples of each pixel, a quarter pixel off
  // its centre. Sample row 2 * y + {0, 1}, column 2 * x + {0, 1}.
  const Eigen::Vector2f* sample_row(int row) const {
    return &samples_[static_cast<size_t>(row) * 2 * width_px()];
  }
  // The pixel's centre.
  Eigen::Vector2f center_sample(int x, int y) const {
    const Eigen::Vector2f *above = sample_row(2 * y) + 2 * x, *below = sample_row(2 * y + 1) + 2 * x;
    return 0.25f * (above[0] + above[1] + below[0] + below[1]);
  }

  // The box, clipped to the picture, around normalised points.
  PixelBox box_around(const std::vector<Eigen::Vector2d>& normalized, double margin_px) const;
  // The box around the floor rectangle [x0, x1] x [y0, y1]; generous where a part lies outside the lens
  // model.
  PixelBox box_of_floor(double x0, double y0, double x1, double y1) const;

 private:
  PixelBox clip(double x0, double y0, double x1, double y1) const;

  Camera camera_;
  Eigen::Matrix3f rotation_;
  Eigen::Vector3f center_;
  std::vector<Eigen::Vector2f> samples_;
};

}  // namespace vantage::synth
