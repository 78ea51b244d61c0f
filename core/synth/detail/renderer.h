// Renders one camera's frames: the empty room once, then per frame only the pixels that people and their
// shadows touch, with 2 x 2 samples a pixel, encoded to I420 and taken by the camera's sensor.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/image/picture.h"
#include "core/synth/camera_ring.h"
#include "core/synth/detail/body.h"
#include "core/synth/detail/room.h"
#include "core/synth/detail/scene.h"

namespace vantage::synth {

// The light that people take from the floor: their cast shadows, softer the higher the limb, and the
// darkening around their feet. Computed on a raster of the floor once per frame.

class ShadowMap {
 public:
  ShadowMap(double area_m, const Light& light);

  struct Rectangle {
    double x0, y0, x1, y1;  // metres on the floor
  };
  // Forgets the last frame's. Returns the shadowed rectangle of each person.
  std::vector<Rectangle> cast(const std::vector<Body>& bodies);

  struct Shade {
    float key = 0;      // share of the lamp's light taken
    float ambient = 0;  // share of the other light taken
  };
  Shade at(float x_m, float y_m) const;

 private:
  struct Cells {
    int x0, y0, x1, y1;
  };
  Cells cells_of(const Rectangle& rectangle) const;
  Rectangle cast_part(const Ellipsoid& part);
  Rectangle darken_below(const Eigen::Vector3d& point, double radius_m, double strength);

  double origin_m_;
  int side_ = 0;  // cells
  Eigen::Vector3d towards_light_;
  std::vector<Shade> cells_;
  std::vector<Cells> used_;
};

// Simulates a camera's picture from an ideal one: drifting and jumping exposure, noise, and optionally a
// burnt-in time code.
//
// Exposure acts on linear light; here its factor g is applied to the coded values as g^(1/2.2), which is what
// the sRGB curve makes of it to about 2 of 255 steps.

// I420 with limited range; Cb and Cr are of 2 x 2 pixels.
struct Planes {
  int width = 0, height = 0;
  std::vector<uint8_t> y, cb, cr;
};

class Sensor {
 public:
  Sensor(const Scene& scene, int camera);

  // Stops over the exposure of the empty scene.
  double exposure_stops(double time_s) const;

  // `take`: seeds the noise, so that each picture has its own. `time_s`: shown by the time code.
  Result<Picture> picture(const Planes& planes, double exposure_stops, uint64_t take, double time_s) const;

 private:
  struct Step {
    double time_s, stops;  // `stops` are added to the drift from `time_s` on
  };
  void plan_exposure(const Scene& scene);

  uint64_t seed_;
  bool time_code_;
  double drift_stops_ = 0, drift_period_s_ = 1, start_s_;
  std::vector<Step> steps_;
  std::vector<int8_t> noise_;
};

class Renderer {
 public:
  // Renders the empty room. `scene` must outlive the renderer.
  static Result<Renderer> make(const Scene& scene, int camera);

  const CameraView& view() const { return view_; }

  Result<Picture> render(const std::vector<Body>& bodies, int64_t frame);  // frame of this camera
  Result<Picture> render_empty(int64_t frame);  // frame of a clip from before the walk, without people

 private:
  struct Part {
    Silhouette silhouette;
    const Material* material;
  };
  struct Sample {
    float depth;
    int32_t part;  // -1: the room
  };

  Renderer(const Scene& scene, int camera, CameraView view);
  void draw(const std::vector<Body>& bodies);  // into frame_
  void render_room();
  void encode_room();
  std::vector<PixelBox> place(const std::vector<Body>& bodies);
  void draw_parts();
  void compose(const PixelBox& box);
  bool compose_pixel(int x, int y, Color* color) const;
  Color shade(int part, const Eigen::Vector3f& point) const;
  bool shade_floor(int x, int y, Color* color) const;
  void encode_block(Planes* planes, int x, int y, const Color* four) const;
  Sample* sample_row(int row) { return &samples_[static_cast<size_t>(row) * 2 * view_.width_px()]; }
  const Sample* sample_row(int row) const {
    return &samples_[static_cast<size_t>(row) * 2 * view_.width_px()];
  }

  const Scene* scene_;
  uint64_t noise_seed_;
  CameraView view_;
  ShadowMap shadows_;
  Eigen::Vector3f towards_light_, up_;  // in camera coordinates
  std::vector<RoomLight> room_;         // per pixel
  Planes empty_, frame_;
  std::vector<Sample> samples_;    // 2 x 2 per pixel
  std::vector<int64_t> composed_;  // per 2 x 2 block: the serial number of its last frame
  int64_t serial_ = 0;
  std::vector<Part> parts_;
  std::vector<PixelBox> last_boxes_;  // content of frame_ other than the empty room
  CameraClock clock_;
  Sensor sensor_;
};

}  // namespace vantage::synth
